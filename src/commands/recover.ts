import { createInterface } from 'node:readline/promises';
import { ProxyError } from '../domain/errors.js';
import { quote, visible } from '../domain/text.js';
import type { HumanRecovery } from '../human-recovery.js';
import { NativeRefusal } from '../native/answer.js';
import { databaseOf } from '../native/deny-paths.js';
import type { NativeOutcome } from '../native/deps.js';
import type { Source, SourceArgs } from '../native/recover-source.js';
import type { LookedUp } from '../zerto/recover.js';
import type { Context, Io } from './context.js';
import { readArguments } from './options.js';
import { type Taken, take, type Wanted } from './recover-take.js';
import { withRecovery } from './wrap.js';

/** How the command is called. */
export const USAGE = `usage: zerto-rewind-proxy recover --receipt ID --path P [--to DIR] [--vm NAME] [--vpg NAME] [--from recoverFrom|tag]
       zerto-rewind-proxy recover --vm NAME --checkpoint ID --path P [--to DIR] [--vpg NAME]

Takes a file or a folder of a VM from the journal. Nothing is written into the VM.

  --path P         as the VM knows it: /etc/app.conf, C:\\dir\\file.txt, or VOLUME:/dir/file
  --to DIR         writes below DIR, with a list of SHA-256 sums on stdout; without it a file goes to stdout, a folder is listed
  --from tag       the tagged checkpoint itself; else the point that surely precedes the change
  --force          replaces files that are there
  --with-secrets   takes files that the rules for secrets withhold; only at a terminal, where you are asked

Exit codes: 0 all is there (links are none of it), 1 something is missing, 2 wrong usage.
`;

const ORIGINS = ['recoverFrom', 'tag'] as const;

/** Its options. */
export const OPTIONS = {
  receipt: { type: 'string' },
  vm: { type: 'string' },
  checkpoint: { type: 'string' },
  vpg: { type: 'string' },
  from: { type: 'string', value: ORIGINS },
  path: { type: 'string' },
  to: { type: 'string', value: 'directory' },
  force: { type: 'boolean', default: false },
  'with-secrets': { type: 'boolean', default: false },
} as const;

interface Asked {
  readonly point: SourceArgs;
  readonly wanted: Wanted;
}

/** `recover …`: a human's way to files of any size. Every run is recorded, with size and hash and never with content. */
export async function recoverCommand(args: readonly string[], context: Context): Promise<number> {
  const asked = read(args);
  if (typeof asked === 'string') {
    context.io.stderr.write(`recover: ${asked}\n${USAGE}`);
    return 2;
  }
  return withRecovery(context, (human) => run(asked, human, context));
}

async function run({ point, wanted }: Asked, human: HumanRecovery, context: Context): Promise<number> {
  const { io, signal } = context;
  const denied = wanted.withSecrets ? undefined : human.deny(wanted.path);
  if (denied !== undefined) {
    io.stderr.write(
      `recover: ${quote(wanted.path, 4_096)}: ${visible(denied)}; --with-secrets takes it all the same\n`,
    );
    return 1;
  }
  const entry = await human.record('recover', {
    ...point,
    path: wanted.path,
    to: wanted.to,
    secrets: wanted.withSecrets,
  });
  const outcome = await attempt({ point, wanted }, human, context);
  await entry.close(outcome.told);
  if (outcome.told.reason !== undefined) io.stderr.write(`recover: ${outcome.told.reason}\n`);
  signal.throwIfAborted();
  return outcome.code;
}

interface Ended {
  readonly code: number;
  readonly told: NativeOutcome;
}

async function attempt({ point, wanted }: Asked, human: HumanRecovery, { io, signal }: Context): Promise<Ended> {
  try {
    const source = await human.source(point, signal);
    announce(source, wanted, human, io);
    if (wanted.withSecrets && !(await confirmed(source, io))) return refused('APPROVAL_DENIED', NOT_CONFIRMED);
    const done = await human.within(source, signal, async (view) => {
      const found = await view.find(wanted.path);
      if (found.kind !== 'item') return textOf(found, wanted.path);
      const denied = wanted.withSecrets ? undefined : human.deny(found.guestPath);
      return denied === undefined || found.item.browsable
        ? take(view, found, wanted, human, io)
        : `${quote(found.guestPath, 4_096)}: ${visible(denied)}; --with-secrets takes it all the same`;
    });
    if (done.kind === 'refused') return refused('ZVM_REJECTED', visible(done.why));
    if (typeof done.value === 'string') return refused('TARGET_UNRESOLVED', done.value);
    return ended(done.value, source);
  } catch (error) {
    if (error instanceof NativeRefusal || error instanceof ProxyError) return refused(error.code, error.message);
    if (signal.aborted) return refused('CALL_CANCELLED', 'It was stopped; nothing stays mounted.');
    throw error;
  }
}

function ended({ whole, bytes, sha256 }: Taken, { vm, checkpoint }: Source): Ended {
  const { vmIdentifier } = vm;
  const recovered = { vmIdentifier, checkpointIdentifier: checkpoint.checkpointIdentifier, bytes, sha256 };
  return { code: whole ? 0 : 1, told: { result: whole ? 'ok' : 'error', recovered } };
}

function refused(code: NonNullable<NativeOutcome['code']>, reason: string): Ended {
  return { code: 1, told: { result: 'error', code, reason } };
}

function announce({ vm, vpg, checkpoint, receipt }: Source, { path }: Wanted, human: HumanRecovery, io: Io): void {
  const minutes = Math.max(0, Math.ceil((human.now().getTime() - Date.parse(checkpoint.timestamp)) / 60_000));
  const simulated = receipt?.simulated ? ' SIMULATED.' : '';
  io.stderr.write(
    `${quote(vm.name, 100)} in VPG ${quote(vpg.name, 100)} at checkpoint ${visible(checkpoint.checkpointIdentifier)} of ${visible(checkpoint.timestamp)}: it lacks the changes of the last ${minutes} min.${simulated}\n`,
  );
  const database = databaseOf(path);
  if (database !== undefined)
    io.stderr.write(
      `This belongs to ${database.what}: its files fit each other only as a whole. A test failover gives a consistent copy.\n`,
    );
}

/** Only a human at a terminal can agree, and by more than a key. */
async function confirmed({ vm }: Source, io: Io): Promise<boolean> {
  if (!io.stdin.isTTY || !io.stderr.isTTY) return false;
  const lines = createInterface({ input: io.stdin, output: io.stderr });
  try {
    const answer = await lines.question(
      `Files with secrets will be written here. Type the name of the VM (${visible(vm.name)}) to go on: `,
    );
    return answer.trim() === vm.name;
  } finally {
    lines.close();
  }
}

const NOT_CONFIRMED = '--with-secrets needs a human at a terminal who types the name of the VM; nothing was recovered';

function textOf(found: Exclude<LookedUp, { kind: 'item' }>, path: string): string {
  const asked = quote(path, 4_096);
  const list = (names: readonly string[]): string => names.map((name) => quote(name, 4_096)).join(', ');
  if (found.kind === 'refused') return `${asked}: ${visible(found.why)}`;
  if (found.kind === 'ambiguous') return `${asked} is more than one item; name one of them: ${list(found.found)}`;
  const note = found.note === undefined ? '' : `; ${visible(found.note)}`;
  const maybe = found.maybe.length === 0 ? '' : `; if one of these is meant, name it as --path: ${list(found.maybe)}`;
  return `${asked} is not in the checkpoint; searched: ${list(found.looked) || 'no volume'}${note}${maybe}`;
}

function read(args: readonly string[]): Asked | string {
  const given = readArguments(args, OPTIONS);
  if (typeof given === 'string') return given;
  const { values } = given;
  const { receipt, vm, checkpoint, vpg, from, path, to, force } = values;
  if (path === undefined) return '--path is needed';
  const origin = ORIGINS.find((each) => each === from);
  if (from !== origin) return `--from is one of ${ORIGINS.join(', ')}`;
  if (receipt === undefined && (vm === undefined || checkpoint === undefined))
    return '--receipt is needed, or --vm and --checkpoint';
  const point = { receipt, vm, checkpoint, vpg, from: origin };
  return { point, wanted: { path, to, force, withSecrets: values['with-secrets'] } };
}
