import { userInfo } from 'node:os';
import { openReceipts } from './audit/receipts.js';
import type { Vm } from './domain/target.js';
import { denyPaths, type PathLists } from './native/deny-paths.js';
import type { NativeAuditEntry, ReceiptState } from './native/deps.js';
import { type Source, type SourceArgs, sourceOf } from './native/recover-source.js';
import { oneTarget } from './native/resolve.js';
import { secretIn } from './native/secret-archive.js';
import { closeNative, findOwn, OWN_DECISION, ownCall } from './native-ports.js';
import type { Parts } from './parts.js';
import type { MountView } from './zerto/recover.js';
import { type Probe, probe } from './zerto/recover-probe.js';
import type { Recovery } from './zerto/recover-sites.js';

/** What a human's commands need to take files from the journal. No tool of the proxy leads here. */
export interface HumanRecovery {
  /** The human, as the audit log names them. */
  readonly who: string;
  now(): Date;
  /** Rejects with NativeRefusal or ZVM_* where there is no such point, or none that can be mounted. */
  source(args: SourceArgs, signal: AbortSignal): Promise<Source>;
  vm(name: string, signal: AbortSignal): Promise<Vm>;
  vms(signal: AbortSignal): Promise<readonly Vm[]>;
  /** Receipts of a VM, newest first. */
  receipts(vmIdentifier: string): Promise<readonly ReceiptState[]>;
  /** Why a path is a secret by the rules of the config, or `undefined`. */
  deny(path: string): string | undefined;
  /** What secret some bytes hold, or `undefined`. */
  secretIn(path: string, bytes: Buffer): Promise<string | undefined>;
  recovery(): Promise<Recovery>;
  within<T>(
    source: Source,
    signal: AbortSignal,
    use: (view: MountView) => Promise<T>,
  ): ReturnType<typeof Recovery.prototype.within<T>>;
  /** Mounts the newest checkpoint of a VM, lists it and unmounts; on record as `coverage --probe`. */
  probe(vm: Vm, signal: AbortSignal): Promise<Probe>;
  /** Resolves when the intent is on disk. */
  record(command: string, given: Readonly<Record<string, unknown>>): Promise<NativeAuditEntry>;
}

/** Over the parts of the app: the same receipts, audit log and journal of mounts as the native tools have. */
export function humanRecovery(parts: Parts): HumanRecovery {
  const { appliances, audit, auditDir, auditFile, config, log, now, id } = parts;
  const who = `human:${userName()}`;
  const session = id('s');
  const lists: PathLists = config.recovery;
  const judge = denyPaths(lists);
  // What no name has may still stand in an appliance's answer.
  const deny = (path: string) => judge(path.replace(/[\0\p{Cs}]/gu, '_'));
  const receipts = openReceipts(auditDir, log, auditFile);
  const find = findOwn(parts);
  const deps = {
    find,
    receipts,
    inventory: appliances.inventory,
    recovery: { scope: 'all' },
    reaches: async () => true,
    appliances: {
      checkpoint: async (...asked: Parameters<Recovery['checkpoint']>) =>
        (await appliances.recovery()).checkpoint(...asked),
      mountable: async (...asked: Parameters<Recovery['mountable']>) =>
        (await appliances.recovery()).mountable(...asked),
    },
  } as const;
  const record: HumanRecovery['record'] = async (command, given) => {
    const entry = await audit.open(ownCall(parts, command, given, false, { agent: who, session }), OWN_DECISION);
    return { close: (outcome) => closeNative(entry, outcome) };
  };
  return {
    who,
    now,
    source: (args, signal) => sourceOf(args, deps, signal),
    vm: async (name, signal) => (await oneTarget(name, deps, signal)).vm,
    vms: (signal) => appliances.inventory.vms(signal),
    receipts: (vm) => receipts.states({ vm }),
    deny,
    secretIn: (path, bytes) => secretIn(bytes, deny, /^[A-Za-z]:/.test(path) ? 'C:/' : '/'),
    recovery: () => appliances.recovery(),
    within: async ({ vpg, vm: { vmIdentifier }, checkpoint: { checkpointIdentifier } }, signal, use) =>
      (await appliances.recovery()).within({ vpg, vmIdentifier, checkpointIdentifier }, signal, use),
    probe: async (vm, signal) => recorded(await record('coverage --probe', { vm: vm.name }), vm, signal),
    record,
  };

  async function recorded(entry: NativeAuditEntry, vm: Vm, signal: AbortSignal): Promise<Probe> {
    try {
      const tried = await probe(await appliances.recovery(), vm, signal);
      await entry.close(tried.kind === 'ok' ? { result: 'ok' } : { result: 'error', reason: tried.why });
      return tried;
    } catch (error) {
      await entry.close({ result: 'error', reason: error instanceof Error ? error.message : String(error) });
      throw error;
    }
  }
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}
