import type { Meters, Metrics } from '../domain/meters.js';
import type { Logger } from '../domain/ports.js';
import { countedAudit, countedCheckpoints } from './counted.js';

/** How long after the first call, in milliseconds: its answer is on its way by then. */
const AFTER_CALL = 100;
/** What is told before is remembered up to so much. */
const MOST = 1000;

type Tell = (metrics: Metrics) => void;

/** Metrics that are opened after the first call, so that no start waits for their code: what was told before is told then. */
export function deferredMetrics(open: () => Promise<Metrics>, log: Logger): Metrics {
  const early: Tell[] = [];
  let opened: Metrics | undefined;
  let opening: Promise<void> | undefined;
  const begin = async (): Promise<void> => {
    opening ??= open().then(
      (metrics) => {
        opened = metrics;
        for (const tell of early.splice(0)) tell(metrics);
      },
      (error: unknown) => log.error({ error: String(error) }, 'the metrics cannot be sent'),
    );
    return opening;
  };
  const tell = (what: Tell): void => {
    if (opened !== undefined) what(opened);
    else if (early.length < MOST) early.push(what);
    else void begin();
  };
  let timer: NodeJS.Timeout | undefined;
  const meters: Meters = {
    operation: (...told) => tell((to) => to.operation(...told)),
    session: (seconds) => tell((to) => to.session(seconds)),
    call: (call) => {
      timer ??= setTimeout(() => void begin(), AFTER_CALL).unref();
      tell((to) => to.call(call));
    },
    pinWait: (...told) => tell((to) => to.pinWait(...told)),
    tag: (...told) => tell((to) => to.tag(...told)),
    zvmRequest: (request) => tell((to) => to.zvmRequest(request)),
    child: (change) => tell((to) => to.child(change)),
  };
  return {
    ...meters,
    countedAudit: (audit) => countedAudit(audit, meters),
    countedCheckpoints: (checkpoints, now) => countedCheckpoints(checkpoints, meters, now),
    watch: (read) => tell((to) => to.watch(read)),
    close: async () => {
      if (timer === undefined) return;
      clearTimeout(timer);
      await begin();
      await opened?.close();
    },
  };
}
