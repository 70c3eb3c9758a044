import { type CallRecords, readCalls } from '../audit/calls.js';
import { ProxyError } from '../domain/errors.js';
import { quote, visible } from '../domain/text.js';
import { denyPaths } from '../native/deny-paths.js';
import { word } from '../native/ladder.js';
import { auditDirOf, type Context, settingsOf } from './context.js';
import { readArguments } from './options.js';
import { belongsTo, firstOf, type Step, stepsOf } from './rewind-plan.js';
import { type Standing, standingOf } from './rewind-points.js';
import { planText } from './rewind-text.js';
import { withRecovery } from './wrap.js';

/** How the command is called. */
export const USAGE = `usage: zerto-rewind-proxy rewind [--json] [--offline] CHANGE|SESSION

Prints how to undo what an agent did under a change or in a session: newest first, for each VM and file the exact recover call,
or the larger step. It asks the journals whether each point is still there, and names what is left where one is not; it mounts
and writes nothing. A receipt's or a call's id does too.

  --offline   reads the audit log alone and asks no appliance

Exit codes: 0 there is a plan, 1 nothing is known under this id, 2 wrong usage.
`;

/** Its options. */
export const OPTIONS = {
  json: { type: 'boolean', default: false },
  offline: { type: 'boolean', default: false },
} as const;

interface Asked {
  readonly id: string;
  readonly json: boolean;
  readonly offline: boolean;
}

/** `rewind …`: the plan; a human takes its steps one by one. */
export async function rewindCommand(args: readonly string[], context: Context): Promise<number> {
  const { io } = context;
  const asked = read(args);
  if (typeof asked === 'string') {
    io.stderr.write(`rewind: ${asked}\n${USAGE}`);
    return 2;
  }
  const dir = await auditDirOf(context);
  const calls: CallRecords[] = [];
  const mine = belongsTo(asked.id);
  for await (const call of readCalls(dir)) if (mine(call)) calls.push(call);
  if (calls.length === 0) {
    io.stderr.write(`rewind: no change, session, receipt or call ${quote(asked.id)} in ${quote(dir, 1_000)}\n`);
    return 1;
  }
  const steps = await planned(calls, asked, context);
  const first = firstOf(steps);
  if (asked.json) io.stdout.write(`${JSON.stringify({ id: asked.id, steps, first }, undefined, 2)}\n`);
  else io.stdout.write(planText(asked.id, calls.length, steps, first, programOf(context)));
  return 0;
}

/** The words that a step's command begins with; a config that was named here is named there. */
function programOf({ options }: Context): string {
  return options.config === undefined ? 'zerto-rewind-proxy' : `zerto-rewind-proxy --config ${word(options.config)}`;
}

/** How long the appliances may take to tell of all the points, in milliseconds. */
const PATIENCE = 30_000;

async function planned(calls: readonly CallRecords[], asked: Asked, context: Context): Promise<readonly Step[]> {
  const { recovery } = await settingsOf(context);
  const stepsWith = (stands: Parameters<typeof stepsOf>[2]): Promise<readonly Step[]> =>
    stepsOf(calls, denyPaths(recovery), stands, new Date());
  const unasked = (why: string): Promise<readonly Step[]> => stepsWith(async () => ({ kind: 'unknown', why }));
  if (asked.offline) return unasked('--offline was given');
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(PATIENCE)]);
  try {
    return await withRecovery(context, async (human) => {
      const journals = { vms: await human.vms(signal), recovery: await human.recovery() };
      const known = new Map<string, Promise<Standing>>();
      return stepsWith(({ id }, vm) => {
        const key = JSON.stringify([id, vm.vmIdentifier]);
        const standing = known.get(key) ?? standingOf(vm, journals, signal);
        known.set(key, standing);
        return standing;
      });
    });
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof ProxyError) return unasked(visible(error.message));
    if (signal.aborted) return unasked('the appliance did not answer in time');
    throw error;
  }
}

function read(args: readonly string[]): Asked | string {
  const given = readArguments(args, OPTIONS, { words: true });
  if (typeof given === 'string') return given;
  const [id, more] = given.words;
  return id === undefined || more !== undefined
    ? 'one change or session is needed: `audit list` shows them'
    : { id, ...given.values };
}
