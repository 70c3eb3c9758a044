import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { endSessionQuestion, recoveryQuestion } from '../../src/approvals/questions.js';
import type { Question } from '../../src/domain/ports.js';
import type { Receipt } from '../../src/domain/receipt.js';
import type { Aim } from '../../src/domain/target.js';
import type {
  Caller,
  NativeDeps,
  NativeOutcome,
  ReceiptState,
  RecoveryConfig,
  RecoveryPort,
} from '../../src/native/deps.js';
import { createNative, type Native } from '../../src/native/server.js';
import {
  createWorld,
  type Simulator,
  startSimulator,
  type World,
  type WorldOptions,
} from '../../src/simulator/index.js';
import { ZvmClient } from '../../src/zerto/client.js';
import { ZvmInventory } from '../../src/zerto/inventory.js';
import { fileMountJournal } from '../../src/zerto/recover-mounts.js';
import { Recovery } from '../../src/zerto/recover-sites.js';

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

const WORLD: WorldOptions = {
  sites: [{ name: 'site-a' }, { name: 'site-b' }],
  vms: [{ name: 'app01' }, { name: 'db01' }, { name: 'hr01' }, { name: 'win01', windows: true }, { name: 'lab01' }],
  vpgs: [
    { name: 'app', vms: ['app01'] },
    { name: 'db-remote', vms: ['db01'], recoverySite: 'site-b' },
    { name: 'db-local', vms: ['db01'] },
    { name: 'hr', vms: ['hr01'] },
    { name: 'win', vms: ['win01'] },
  ],
};

type AskReply = 'yes' | 'no' | 'cancel' | 'unavailable';

export interface Bench {
  readonly world: World;
  readonly simulator: Simulator;
  readonly client: ZvmClient;
  readonly native: Native;
  readonly states: ReceiptState[];
  readonly questions: Question[];
  readonly audit: {
    readonly name: string;
    readonly arguments: unknown;
    readonly readOnly: boolean;
    outcome?: NativeOutcome;
  }[];
  readonly pinned: unknown[];
  readonly errors: unknown[];
  reply: AskReply;
  /** Adds the receipt of a forwarded call that pinned the VM's VPGs now. */
  receipt(vms: readonly string[], over?: Partial<Receipt>, state?: ReceiptState['state']): Receipt;
  call(name: string, args?: unknown, signal?: AbortSignal): ReturnType<Native['call']>;
  vmId(vm: string): string;
}

/** The native tools over a simulated appliance on loopback HTTPS; everything around them is a plain object. */
export async function bench(
  options: {
    recovery?: Partial<RecoveryConfig>;
    deps?: Partial<NativeDeps>;
    world?: Partial<WorldOptions>;
    reaches?: readonly string[];
  } = {},
): Promise<Bench> {
  const world = createWorld({ ...WORLD, ...options.world });
  const simulator = await startSimulator({ world, knobs: { mountMs: 15, unmountMs: 5 } });
  const client = new ZvmClient({
    site: 'site-a',
    url: simulator.url,
    login: {
      grant: 'password',
      clientId: 'zerto-client',
      username: simulator.user,
      password: () => Promise.resolve(simulator.password),
    },
    tls: { kind: 'fingerprint', fingerprint256: simulator.fingerprint256 },
  });
  const dir = await mkdtemp(join(tmpdir(), 'native-'));
  const log = {
    debug: () => undefined,
    info: () => undefined,
    warn: () => undefined,
    error: (...line: unknown[]) => void errors.push(line),
  };
  const limits = { mount: 900, ready: 900, lost: 200, unmount: 900, poll: 5 };
  const recovery = new Recovery({
    clients: new Map([['site-a', client]]),
    mounts: fileMountJournal(dir),
    log,
    now: () => new Date(),
    limits,
  });
  const inventory = new ZvmInventory([client]);
  const errors: unknown[] = [];
  const states: ReceiptState[] = [];
  const questions: Question[] = [];
  const audit: Bench['audit'][number][] = [];
  const pinned: unknown[] = [];
  const reaches = options.reaches ?? ['app01', 'db01', 'win01'];
  const deps: NativeDeps = {
    inventory,
    find: (host, signal) => aim(inventory, host, signal),
    reaches: async (id) => reaches.some((name) => world.vm(name).vmIdentifier === id),
    receipts: {
      find: async (id) => states.find(({ receipt }) => receipt.id === id),
      each: async function* ({ vm }) {
        const isOf = ({ receipt }: ReceiptState) =>
          vm === undefined || receipt.vms.some((each) => each.name === vm || each.vmIdentifier === vm);
        yield* states.filter(isOf).reverse();
      },
    },
    judge: async () => ({
      effect: 'mutating',
      findings: [{ effect: 'mutating', subject: 'rm', why: 'removes' }],
      decision: 'pin_then_forward',
    }),
    catalogs: () => ({ mutating_tools: { ssh: ['rm'] }, read_only_tools: { ssh: ['ls'] } }),
    checkpoint: async ({ tool, target }) => {
      pinned.push(target.vm.name);
      return makeReceipt(world, [target.vm.name], { tool, server: 'zerto-rewind-proxy' });
    },
    recovery: {
      maxRecoverBytes: 1_000,
      confirm: 'human',
      scope: 'receipts',
      denyPaths: [],
      allowPaths: [],
      ...options.recovery,
    },
    // The compiler checks here that the two sides agree.
    appliances: recovery satisfies RecoveryPort,
    recoveryQuestion,
    endSessionQuestion,
    audit: async (call) => {
      const entry: Bench['audit'][number] = call;
      audit.push(entry);
      return {
        close: async (outcome) => {
          entry.outcome = outcome;
        },
      };
    },
    now: () => new Date(),
    log,
    ...options.deps,
  };
  const native = createNative(deps);
  open.push(async () => {
    await native.close();
    await recovery.close();
    await client.close();
    await simulator.close();
    world.close();
    await rm(dir, { recursive: true, force: true });
  });
  const result: Bench = {
    world,
    simulator,
    client,
    native,
    states,
    questions,
    audit,
    pinned,
    errors,
    reply: 'yes',
    vmId: (vm) => world.vm(vm).vmIdentifier,
    receipt: (vms, over, state = 'forwarded') => {
      const receipt = makeReceipt(world, vms, over);
      states.push({ receipt, state });
      return receipt;
    },
    call: (name, args = {}, signal = new AbortController().signal) => native.call(name, args, caller(), signal),
  };
  function caller(): Caller {
    return {
      agent: 'claude-code',
      session: 's1',
      ask: async (question) => {
        questions.push(question);
        if (result.reply === 'unavailable') return { kind: 'unavailable' };
        if (result.reply === 'cancel') return { kind: 'declined' };
        return { kind: 'answered', choice: question.choices[result.reply === 'yes' ? 0 : 1] ?? '', by: 'client' };
      },
    };
  }
  return result;
}

let counter = 0;

function makeReceipt(world: World, vms: readonly string[], over: Partial<Receipt> = {}): Receipt {
  counter += 1;
  return {
    id: `rcp_${counter}`,
    change: `chg_${counter}`,
    session: 's1',
    agent: 'claude-code',
    server: 'ssh',
    tool: 'exec',
    digest: 'd',
    pinnedAt: new Date().toISOString(),
    permit: 'pinned',
    consistency: 'crash',
    covers: 'vm',
    vms: vms.map((name) => ({ name, vmIdentifier: world.vm(name).vmIdentifier, vpgs: vpgsOf(world, name) })),
    ...over,
  };
}

/** Two checkpoints now: one before, which recovery takes, and the tag. */
function vpgsOf(world: World, vm: string): Receipt['vms'][number]['vpgs'] {
  return world.vpgs
    .filter((vpg) => vpg.vms.some(({ name }) => name === vm))
    .map((vpg) => {
      world.checkpoint(vpg.name);
      const before = vpg.journal.at(-1);
      world.checkpoint(vpg.name);
      const tag = vpg.journal.at(-1);
      if (before === undefined || tag === undefined) throw new Error('no checkpoint');
      const point = ({ id, at }: typeof tag) => ({
        checkpointIdentifier: String(id),
        timestamp: new Date(at).toISOString(),
      });
      return {
        name: vpg.name,
        vpgIdentifier: vpg.vpgIdentifier,
        site: 'site-a',
        tag: { name: 'ai:claude-code | ssh exec', ...point(tag) },
        recoverFrom: { ...point(before), why: 'newest before the tag' },
      };
    });
}

async function aim(inventory: ZvmInventory, host: string, signal: AbortSignal): Promise<Aim> {
  const found = (await inventory.vms(signal)).filter((vm) => vm.name === host || vm.vmIdentifier === host);
  const [vm] = found;
  const problem = (kind: 'unresolved' | 'ambiguous' | 'unprotected', why: string): Aim => ({
    targets: [],
    problems: [{ host, kind, why, found: found.map(({ vmIdentifier }) => vmIdentifier) }],
  });
  if (vm === undefined) return problem('unresolved', 'no VM has this name');
  if (found.length > 1) return problem('ambiguous', 'two VMs have this name');
  const [first, ...rest] = vm.vpgs;
  if (first === undefined) return problem('unprotected', 'no VPG protects it');
  return { targets: [{ host, vm: { ...vm, vpgs: [first, ...rest] } }], problems: [] };
}
