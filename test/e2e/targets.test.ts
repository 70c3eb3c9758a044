import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type Simulator, startSimulator, type World } from '../../src/simulator/index.js';
import { type ProxyProcess, receiptOf, sitesOf, startProxy, textOf } from '../support/proxy-process.js';
import { sshManager, sshMcp } from '../support/real-servers.js';
import { type SshVm, type SshVms, startSshVms, whyNoSshd } from '../support/sshd.js';
import { verifies } from './requirements.js';

const missing = await whyNoSshd();
const skipped = missing === undefined ? '' : ` (skipped: ${missing})`;
const TIMINGS = { gapMs: 2_000, completedMs: 100, stampMs: 50, listedMs: 1_500 };

let ssh: SshVms;
let app: SshVm;
let db: SshVm;
let world: World;
let simulator: Simulator;
let scratch: string;

beforeAll(async () => {
  if (missing !== undefined) return;
  scratch = mkdtempSync(join(tmpdir(), 'rewind-targets-'));
  ssh = await startSshVms(['app01', 'db01']);
  [app, db] = ssh.vms as [SshVm, SshVm];
  world = createWorld({
    sites: [{ name: 'site-a' }],
    vms: ssh.vms.map(({ name, disk }) => ({ name, disk })),
    vpgs: ssh.vms.map(({ name }) => ({ name: `vpg-${name}`, vms: [name], timings: TIMINGS })),
  });
  simulator = await startSimulator({ world });
});
afterAll(async () => {
  await simulator?.close();
  world?.close();
  await ssh?.close();
  if (scratch !== undefined) rmSync(scratch, { recursive: true, force: true });
});

const config = (more: object = {}): object => ({
  zvm: sitesOf(['site-a', simulator]),
  targets: Object.fromEntries(ssh.vms.map(({ name, host }) => [host, name])),
  policy: { unknown: 'refuse', unresolved: 'refuse', unprotected: 'refuse' },
  ...more,
});
const inserts = () => simulator.requests.filter(({ method, path }) => method === 'POST' && /checkpoints$/i.test(path));

/** Does it once the call's tag is being inserted: the call waits then. */
async function duringTheWait(act: () => void, calling: Promise<unknown>): Promise<void> {
  const before = inserts().length;
  while (inserts().length === before) {
    const ended = await Promise.race([calling.then(() => true), new Promise((go) => setTimeout(() => go(false), 20))]);
    if (ended === true) throw new Error('the call did not wait');
  }
  act();
}

interface Way {
  readonly name: string;
  readonly missing?: string | undefined;
  /** Starts the server; `edit` sends what its configuration calls `prod` to the other VM. */
  start(home: string): {
    command: readonly [string, ...string[]];
    env: Readonly<Record<string, string>>;
    edit: () => void;
    inside?: readonly string[];
  };
  /** Each call is a connection of its own. */
  readonly forgets?: true;
  readonly call: (command: string) => readonly [tool: string, args: Record<string, unknown>];
}

const manager = (command: string) => ['ssh_execute', { server: 'prod', command }] as const;
const entry = ({ host, port }: SshVm) =>
  `SSH_SERVER_PROD_HOST=${host}\nSSH_SERVER_PROD_PORT=${port}\nSSH_SERVER_PROD_USER=${ssh.user}\nSSH_SERVER_PROD_KEYPATH=${ssh.key}\n`;
const table = ({ host, port }: SshVm) =>
  `[ssh_servers.prod]\nhost = "${host}"\nport = ${port}\nuser = "${ssh.user}"\nkey_path = "${ssh.key}"\n`;

/** A home directory of ssh(1) that is the test's own: it asks the account, not the environment. */
function whyNoHome(): string | undefined {
  const tried = spawnSync('bwrap', ['--dev-bind', '/', '/', '--bind', tmpdir(), homedir(), 'true'], {
    encoding: 'utf8',
  });
  return tried.status === 0 ? undefined : 'bwrap cannot give ssh another home directory here';
}
const WITH_KEY = 'StrictHostKeyChecking no\nUserKnownHostsFile /dev/null\nLogLevel ERROR\n';
const hosts = ({ host, port }: SshVm) =>
  `Host prod\nHostName ${host}\nPort ${port}\nUser ${ssh.user}\nIdentityFile ${ssh.key}\n${WITH_KEY}`;

const WAYS: readonly Way[] = [
  {
    name: 'the ssh config of a server that hands its hosts to ssh',
    missing: whyNoHome(),
    forgets: true,
    start: (home) => {
      const file = join(home, '.ssh', 'config');
      const write = (vm: SshVm) => writeFileSync(file, hosts(vm), { mode: 0o600 });
      mkdirSync(join(home, '.ssh'), { mode: 0o700 });
      write(app);
      // Where the package lies, so that it is told from its command line before it has said what it is.
      const server = join(home, 'node_modules', '@aiondadotcom', 'mcp-ssh', 'server.mjs');
      mkdirSync(dirname(server), { recursive: true });
      copyFileSync(join(import.meta.dirname, '..', 'fixtures', 'e2e', 'ssh-hosts-server.mjs'), server);
      return {
        command: [process.execPath, server],
        env: {},
        edit: () => write(db),
        inside: ['bwrap', '--dev-bind', '/', '/', '--bind', home, userInfo().homedir, '--die-with-parent'],
      };
    },
    call: (command) => ['runRemoteCommand', { hostAlias: 'prod', command }],
  },
  {
    name: 'a .env file of mcp-ssh-manager',
    start: (home) => {
      const { command, env } = sshManager({ ...ssh, vms: [] }, home);
      const file = join(home, '.env');
      writeFileSync(file, entry(app));
      return { command, env: { ...env, SSH_ENV_PATH: file }, edit: () => writeFileSync(file, entry(db)) };
    },
    call: manager,
  },
  {
    name: 'a TOML file of mcp-ssh-manager',
    start: (home) => {
      const { command, env } = sshManager({ ...ssh, vms: [] }, home);
      const file = join(home, 'ssh.toml');
      writeFileSync(file, table(app));
      return {
        command,
        env: { ...env, SSH_CONFIG_PATH: file, SSH_ENV_PATH: join(home, 'none') },
        edit: () => writeFileSync(file, table(db)),
      };
    },
    call: manager,
  },
  {
    name: 'the config.toml of ssh-mcp',
    start: (home) => {
      const named = (vm: SshVm) => ({ ...ssh, vms: [{ ...vm, name: 'prod' }] });
      const { command, env } = sshMcp(named(app), home);
      return { command, env, edit: () => void sshMcp(named(db), home) };
    },
    call: (command) => ['run-command', { command }],
  },
];

describe.skipIf(missing !== undefined).each(WAYS)(
  `$name${skipped}`,
  ({ name, start, call, forgets, missing: lacks }) => {
    let proxy: ProxyProcess;
    let edit: () => void;

    beforeAll(async () => {
      if (lacks !== undefined) return;
      const home = join(scratch, name.replace(/\W+/g, '-'));
      mkdirSync(home, { recursive: true });
      const started = start(home);
      edit = started.edit;
      const { command, env, inside } = started;
      proxy = await startProxy({ config: config(), downstream: command, env, ...(inside !== undefined && { inside }) });
    });
    afterAll(() => proxy?.close());

    test.skipIf(lacks !== undefined)(
      `${verifies('R-1', 'G-1')} a name that no VM has is the VM that its configuration sends it to; edited while its checkpoint is taken, the call is not sent`,
      async () => {
        const path = join(app.disk, 'changed');
        const written = await proxy.call(...call(`echo "$VMNAME" > ${path}`));
        expect(
          receiptOf(written)?.vms.map((vm) => vm.name),
          textOf(written),
        ).toEqual(['app01']);
        expect(readFileSync(path, 'utf8')).toBe('app01\n');

        const other = join(db.disk, `${name.length}-edited`);
        const calling = proxy.call(...call(`touch ${path}-edited ${other}`));
        await duringTheWait(edit, calling);
        const refused = await calling;
        expect(textOf(refused)).toMatch(/^TARGET_UNRESOLVED: .*not sent/s);
        expect(receiptOf(refused)).toBeUndefined();
        for (const file of [`${path}-edited`, other]) expect(() => statSync(file)).toThrow('ENOENT');

        if (forgets === true) {
          const there = await proxy.call(...call(`echo "$VMNAME" > ${other}`));
          expect(
            receiptOf(there)?.vms.map((vm) => vm.name),
            textOf(there),
          ).toEqual(['db01']);
          expect(readFileSync(other, 'utf8')).toBe('db01\n');
          return;
        }
        // From now on it is not known which of the two it is connected to.
        const again = await proxy.call(...call(`touch ${other}`));
        expect(textOf(again)).toMatch(/TARGET_UNRESOLVED: .*changed while it runs.*not sent/s);
        expect(() => statSync(other)).toThrow('ENOENT');
      },
    );
  },
);

describe.skipIf(missing !== undefined)(`commands inside commands${skipped}`, () => {
  test(`${verifies('R-1', 'R-3')} a command that reaches out to another VM waits for the tags of both; where the other is not known, nothing is sent`, async () => {
    const { command, env } = sshMcp(ssh, join(scratch, 'inside'));
    const proxy = await startProxy({ config: config(), downstream: command, env });
    try {
      const path = join(app.disk, 'inside');
      const tags = inserts().length;
      const written = await proxy.call('run-command', {
        profile: 'app01',
        command: `ssh -o BatchMode=yes db01 'touch x' || touch ${path}`,
      });
      expect(
        receiptOf(written)?.vms.map(({ name }) => name),
        textOf(written),
      ).toEqual(['app01', 'db01']);
      expect(receiptOf(written)?.covers).toBe('vm');
      expect(inserts().length).toBe(tags + 2);
      expect(statSync(path).isFile()).toBe(true);

      const refused = await proxy.call('run-command', { profile: 'app01', command: `ssh nowhere 'touch ${path}-2'` });
      expect(textOf(refused)).toMatch(/^TARGET_UNRESOLVED: .*"nowhere".*not sent/s);
      expect(inserts().length).toBe(tags + 2);
    } finally {
      await proxy.close();
    }
  });
});
