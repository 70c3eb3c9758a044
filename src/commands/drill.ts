import { createHash } from 'node:crypto';
import { ProxyError } from '../domain/errors.js';
import { quote, visible } from '../domain/text.js';
import type { HumanRecovery } from '../human-recovery.js';
import { NativeRefusal } from '../native/answer.js';
import type { Source } from '../native/recover-source.js';
import type { MountView } from '../zerto/recover.js';
import type { Context } from './context.js';
import { readArguments } from './options.js';
import { withRecovery } from './wrap.js';

/** How the command is called. */
export const USAGE = `usage: zerto-rewind-proxy drill --vm NAME --path P [--expect SHA256] [--json]

Proves that a file of the VM can be recovered: mounts the point of its newest receipt that the journal still has, reads the
file, compares its hash, unmounts. The content goes nowhere; the run is recorded. Exit codes: 0 proved, 1 not, 2 wrong usage.
`;

/** Its options. */
export const OPTIONS = {
  vm: { type: 'string' },
  path: { type: 'string' },
  expect: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

interface Asked {
  readonly vm: string;
  readonly path: string;
  readonly expect: string | undefined;
  readonly json: boolean;
}

interface Read {
  readonly bytes: number;
  readonly sha256: string;
}

type Drilled =
  | { readonly kind: 'read'; readonly source: Source; readonly read: Read; readonly ms: number }
  | { readonly kind: 'failed'; readonly code: NonNullable<NativeRefusal['code']>; readonly why: string };

/** Receipts that are tried until one has a point that can be mounted. */
const TRIED = 5;

/** `drill …`: an exercise for a scheduler. */
export async function drillCommand(args: readonly string[], context: Context): Promise<number> {
  const asked = read(args);
  if (typeof asked === 'string') {
    context.io.stderr.write(`drill: ${asked}\n${USAGE}`);
    return 2;
  }
  return withRecovery(context, (human) => run(asked, human, context));
}

async function run(asked: Asked, human: HumanRecovery, { io, signal }: Context): Promise<number> {
  const { vm, path, expect } = asked;
  const entry = await human.record('drill', { vm, path, expect });
  const drilled = await drill(asked, human, signal);
  if (drilled.kind === 'failed') {
    await entry.close({ result: 'error', code: drilled.code, reason: drilled.why });
    tell(asked, { ok: false, vm, path, why: drilled.why }, `not proved: ${drilled.why}`, io.stdout);
    return 1;
  }
  const { source, ms } = drilled;
  const { bytes, sha256 } = drilled.read;
  const ok = expect === undefined || expect.toLowerCase() === sha256;
  const { checkpointIdentifier, timestamp } = source.checkpoint;
  await entry.close({
    result: ok ? 'ok' : 'error',
    recovered: { vmIdentifier: source.vm.vmIdentifier, checkpointIdentifier, bytes, sha256 },
  });
  const receipt = source.receipt?.id;
  const facts = {
    vm: source.vm.name,
    vpg: source.vpg.name,
    receipt,
    checkpoint: source.checkpoint,
    path,
    bytes,
    sha256,
    ms,
  };
  const simulated = source.receipt?.simulated ? ' SIMULATED' : '';
  const from = `${quote(path)} of ${quote(source.vm.name, 100)} from checkpoint ${visible(checkpointIdentifier)} of ${visible(timestamp)} (receipt ${visible(receipt ?? '-')})${simulated}`;
  const verdict = ok ? 'proved' : `not proved: expected ${visible(expect ?? '')}`;
  tell(asked, { ok, ...facts, expect }, `${verdict}: ${from}: ${bytes} bytes, SHA-256 ${sha256}, ${ms} ms`, io.stdout);
  return ok ? 0 : 1;
}

async function drill(asked: Asked, human: HumanRecovery, signal: AbortSignal): Promise<Drilled> {
  const start = Date.now();
  try {
    const denied = human.deny(asked.path);
    if (denied !== undefined) return failed('APPROVAL_DENIED', `${denied}; choose another file`);
    const source = await recentSource(asked.vm, human, signal);
    const done = await human.within(source, signal, (view) => readFrom(view, asked.path));
    if (done.kind === 'refused') return failed('ZVM_REJECTED', visible(done.why));
    if (typeof done.value === 'string') return failed('TARGET_UNRESOLVED', done.value);
    return { kind: 'read', source, read: done.value, ms: Date.now() - start };
  } catch (error) {
    if (error instanceof NativeRefusal || error instanceof ProxyError) return failed(error.code, error.message);
    if (signal.aborted) return failed('CALL_CANCELLED', 'it was stopped');
    throw error;
  }
}

function failed(code: NativeRefusal['code'], why: string): Drilled {
  return { kind: 'failed', code, why };
}

/** The newest receipt's point that can be mounted. Rejects with the reason of the last one that was tried. */
async function recentSource(name: string, human: HumanRecovery, signal: AbortSignal): Promise<Source> {
  const vm = await human.vm(name, signal);
  const receipts = (await human.receipts(vm.vmIdentifier)).filter(({ receipt }) => receipt.vms.length > 0);
  let reason: unknown = new NativeRefusal('TARGET_UNRESOLVED', `There is no receipt of ${quote(vm.name, 100)} yet.`);
  for (const { receipt } of receipts.slice(0, TRIED)) {
    try {
      return await human.source({ receipt: receipt.id, vm: vm.vmIdentifier }, signal);
    } catch (error) {
      if (!(error instanceof NativeRefusal)) throw error;
      reason = error;
    }
  }
  throw reason;
}

async function readFrom(view: MountView, path: string): Promise<Read | string> {
  const found = await view.find(path);
  const size = found.kind === 'item' ? found.item.sizeInBytes : undefined;
  if (found.kind !== 'item' || size === undefined || found.item.browsable) {
    return `${quote(path)} is no file that the checkpoint has (${found.kind})`;
  }
  const hash = createHash('sha256');
  for await (const part of view.bytes({ path: found.item.path, size })) hash.update(part);
  return { bytes: size, sha256: hash.digest('hex') };
}

function tell({ json }: Asked, data: object, text: string, stdout: { write(text: string): unknown }): void {
  stdout.write(`${json ? JSON.stringify(data) : text}\n`);
}

function read(args: readonly string[]): Asked | string {
  const given = readArguments(args, OPTIONS);
  if (typeof given === 'string') return given;
  const { vm, path, expect, json } = given.values;
  if (vm === undefined || path === undefined) return '--vm and --path are needed';
  if (expect !== undefined && !/^[0-9a-f]{64}$/i.test(expect)) return '--expect takes a SHA-256 in hexadecimal';
  return { vm, path, expect, json };
}
