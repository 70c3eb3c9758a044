import type { Decision, DecisionName } from '../domain/decision.js';
import { ProxyError } from '../domain/errors.js';
import type { CountedCall, Meters } from '../domain/meters.js';
import type { AuditEntry, AuditLog, Checkpoints, Judged, Outcome } from '../domain/ports.js';

/** The audit log, with each call counted by the words in which it is recorded, whether that succeeds or not. */
export function countedAudit(audit: AuditLog, meters: Pick<Meters, 'call'>): AuditLog {
  return {
    open: (judged, decision) => {
      const call = {
        effect: judged.assessment.effect,
        decision: nameOf(decision),
        native: judged.reading.interceptor === NATIVE,
      };
      const opened = audit.open(judged, decision);
      const count = (entry: AuditEntry): AuditEntry =>
        counted(entry, (outcome) => meters.call({ ...call, ...endOf(judged, outcome) }));
      if (!(opened instanceof Promise)) return count(opened);
      return opened.then(count, (error: unknown) => {
        meters.call({ ...call, outcome: 'not_sent', problem: problemOf(error) });
        throw error;
      });
    },
    degrade: (error) => audit.degrade(error),
  };
}

/** A close that fails is tried again in other words: the first ones count. */
function counted(entry: AuditEntry, count: (outcome: Outcome) => void): AuditEntry {
  let over = false;
  return {
    permit: (receipt, answeredBy) => entry.permit(receipt, answeredBy),
    close: (outcome) => {
      if (!over) count(outcome);
      over = true;
      return entry.close(outcome);
    },
  };
}

/** The name of the reading of a call for one of the proxy's own tools. */
const NATIVE = 'native';

/** Checkpoints, with the time that each tag took to be listed. */
export function countedCheckpoints(
  checkpoints: Checkpoints,
  meters: Pick<Meters, 'tag'>,
  now: () => number,
): Checkpoints {
  return {
    before: (vpg, signal) => checkpoints.before(vpg, signal),
    now: (site, signal) => checkpoints.now(site, signal),
    pin: async (vpg, tag, before, signal) => {
      const begun = now();
      const seconds = () => (now() - begun) / 1000;
      try {
        const listed = await checkpoints.pin(vpg, tag, before, signal);
        meters.tag(vpg.profile, seconds());
        return listed;
      } catch (error) {
        meters.tag(vpg.profile, seconds(), problemOf(error));
        throw error;
      }
    },
  };
}

function endOf({ reading }: Judged, outcome: Outcome): Pick<CountedCall, 'outcome' | 'permit' | 'problem'> {
  const { kind } = outcome;
  if (kind === 'refused' || kind === 'not_sent') return { outcome: kind, problem: outcome.code };
  const sent = reading.interceptor === NATIVE ? undefined : (outcome.receipt?.permit ?? 'read_only');
  const problem = kind === 'forwarded' && outcome.result === 'error' ? 'tool_error' : undefined;
  return { outcome: kind, permit: sent, problem };
}

function nameOf({ kind }: Decision): DecisionName {
  return kind === 'waive' ? 'forward' : kind;
}

function problemOf(error: unknown): string {
  if (error instanceof ProxyError) return error.code;
  return error instanceof Error && error.name === 'AbortError' ? 'CALL_CANCELLED' : 'PROXY_FAULT';
}
