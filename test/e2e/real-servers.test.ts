import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Receipt } from '../../src/domain/receipt.js';
import { createWorld, type Simulator, startSimulator, type World } from '../../src/simulator/index.js';
import { BIN, type ProxyProcess, receiptOf, sitesOf, startProxy, textOf } from '../support/proxy-process.js';
import { expectOnlyNativeAdded, rawTools } from '../support/raw-tools.js';
import { type Start, sshManager, sshMcp, sshSecured } from '../support/real-servers.js';
import { type SshVm, type SshVms, startSshVms, whyNoSshd } from '../support/sshd.js';
import { verifies } from './requirements.js';

const missing = await whyNoSshd();
const skipped = missing === undefined ? '' : ` (skipped: ${missing})`;

const TIMINGS = { gapMs: 2_000, completedMs: 100, stampMs: 50, listedMs: 250 };
const ORIGINAL = Buffer.concat([
  Buffer.from('# settings, grüße\r\nlisten = 8080\n'),
  Buffer.from([0, 1, 2, 0xff, 0xfe]),
]);

interface Call {
  readonly tool: string;
  readonly arguments: Record<string, unknown>;
}

/** One published server: how it is started, and how its users run a command on a VM. `before` is what comes first, once for each VM. */
interface Published {
  readonly name: string;
  readonly start: (ssh: SshVms, home: string) => Start;
  readonly before?: (vm: SshVm, ssh: SshVms) => Call;
  readonly run: (vm: SshVm, command: string, ssh: SshVms) => Call;
  /** Everyday reads that carry no command. */
  readonly reads?: (vm: SshVm) => readonly Call[];
  /** Where the file comes in. */
  readonly file: string;
}

const SERVERS: readonly Published[] = [
  {
    name: 'ssh-mcp',
    start: sshMcp,
    run: (vm, command) => ({ tool: 'run-command', arguments: { command, profile: vm.name } }),
    file: 'ssh-mcp.conf',
  },
  {
    name: 'mcp-ssh-manager',
    start: sshManager,
    run: (vm, command) => ({ tool: 'ssh_execute', arguments: { server: vm.name, command } }),
    reads: (vm) => [
      { tool: 'ssh_list_servers', arguments: {} },
      { tool: 'ssh_health_check', arguments: { server: vm.name } },
      { tool: 'ssh_tail', arguments: { server: vm.name, file: join(vm.disk, 'etc', 'manager.conf'), follow: false } },
    ],
    file: 'manager.conf',
  },
  {
    name: 'ssh-mcp-server-secured, ssh_run',
    start: sshSecured,
    run: (vm, command, { user, key }) => ({
      tool: 'ssh_run',
      arguments: { host: vm.host, port: vm.port, username: user, privateKey: key, command },
    }),
    file: 'secured-run.conf',
  },
  {
    name: 'ssh-mcp-server-secured, ssh_connect and ssh_execute',
    start: sshSecured,
    before: (vm, { user, key }) => ({
      tool: 'ssh_connect',
      arguments: { host: vm.host, port: vm.port, username: user, privateKey: key, connectionId: vm.name },
    }),
    run: (vm, command) => ({ tool: 'ssh_execute', arguments: { connectionId: vm.name, command } }),
    reads: (vm) => [
      { tool: 'ssh_list_connections', arguments: {} },
      { tool: 'ssh_list_files', arguments: { connectionId: vm.name, remotePath: join(vm.disk, 'etc') } },
    ],
    file: 'secured-connect.conf',
  },
];

let ssh: SshVms;
let world: World;
let simulator: Simulator;
let scratch: string;

beforeAll(async () => {
  if (missing !== undefined) return;
  scratch = mkdtempSync(join(tmpdir(), 'rewind-real-'));
  ssh = await startSshVms(['app01', 'db01']);
  for (const { disk } of ssh.vms) {
    for (const { file } of SERVERS) {
      mkdirSync(join(disk, 'etc'), { recursive: true });
      writeFileSync(join(disk, 'etc', file), ORIGINAL);
    }
  }
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

function config(): object {
  return {
    zvm: sitesOf(['site-a', simulator]),
    targets: Object.fromEntries(ssh.vms.map(({ name, host }) => [host, name])),
    policy: { unknown: 'refuse', unresolved: 'refuse', unprotected: 'refuse' },
  };
}

describe.skipIf(missing !== undefined).each(SERVERS)(`$name${skipped}`, ({ start, before, run, reads, file }) => {
  let proxy: ProxyProcess;
  let app: SshVm;
  let db: SshVm;
  const questions: string[] = [];
  const call = ({ tool, arguments: args }: Call) => proxy.call(tool, args);
  const inserts = () =>
    simulator.requests.filter(({ method, path }) => method === 'POST' && /checkpoints$/i.test(path));

  beforeAll(async () => {
    [app, db] = ssh.vms as [SshVm, SshVm];
    const { command, env } = start(ssh, join(scratch, file));
    proxy = await startProxy({
      config: config(),
      downstream: command,
      env,
      human: (question) => {
        questions.push(question.message);
        const choice = (question as { requestedSchema?: { properties?: { choice?: { enum?: string[] } } } })
          .requestedSchema?.properties?.choice?.enum?.[0];
        return choice;
      },
    });
    if (before === undefined) return;
    for (const vm of ssh.vms) {
      const opened = await call(before(vm, ssh));
      expect(textOf(opened)).toMatch(/connected/);
      expect(receiptOf(opened)).toBeUndefined();
    }
  });
  afterAll(() => proxy?.close());

  test(`${verifies('C-2', 'T-1')} an everyday read goes straight through, on the VM it names`, async () => {
    const tags = inserts().length;
    for (const vm of ssh.vms) {
      const { tool, arguments: args } = run(
        vm,
        `cat ${join(vm.disk, 'etc', file)} | sha256sum; echo "vm $VMNAME"`,
        ssh,
      );
      const checked = await proxy.call('zerto_check_tool', { tool, arguments: args });
      expect(textOf(checked)).toMatch(/^Effect: read_only\. Decision: forward/);
      const result = await proxy.call(tool, args);
      expect(textOf(result)).toContain(sha256(ORIGINAL));
      expect(textOf(result)).toContain(`vm ${vm.name}`);
      expect(receiptOf(result)).toBeUndefined();
      expect(result.isError ?? false).toBe(false);
    }
    for (const read of reads?.(app) ?? []) {
      const result = await call(read);
      expect(result.isError ?? false, textOf(result)).toBe(false);
      expect(textOf(result)).not.toMatch(/not sent|❌/);
      expect(receiptOf(result)).toBeUndefined();
    }
    expect(inserts().length).toBe(tags);
    expect(questions).toEqual([]);
    const judged = (await proxy.audit()).map(({ intent }) => intent);
    expect(judged.length).toBeGreaterThanOrEqual(2);
  });

  test(`${verifies('G-1', 'R-1')} a write waits until the tag of its own VM is listed`, async () => {
    for (const vm of [db, app]) {
      const path = join(vm.disk, 'etc', file);
      const tags = inserts().length;
      const written = await call(run(vm, `echo "changed on $VMNAME" > ${path}`, ssh));
      expect(textOf(written)).not.toMatch(/not sent/);
      const receipt = receiptOf(written);
      expect(receipt).toMatchObject({
        permit: 'pinned',
        agent: 'test-agent',
        vms: [{ name: vm.name, vpgs: [{ name: `vpg-${vm.name}` }] }],
      });
      expect(inserts().length).toBe(tags + 1);
      expect(readFileSync(path, 'utf8')).toBe(`changed on ${vm.name}\n`);
      const ran = statSync(path).mtimeMs;
      const tag = tagOf(receipt);
      expect(tag.listedAt).toBeLessThanOrEqual(ran);
      // The proxy saw it in the list before it sent the command.
      const seen = simulator.requests.filter(
        ({ method, path: asked, at, status }) =>
          method === 'GET' && /checkpoints/i.test(asked) && at >= tag.listedAt && at <= ran && status === 200,
      );
      expect(seen.length).toBeGreaterThanOrEqual(1);
    }
  });

  test(`${verifies('N-1', 'N-2', 'G-3')} the file comes back by the receipt, after a human's yes`, async () => {
    const receipt = (await proxy.audit())
      .map(({ permit }) => permit?.receipt)
      .find((each) => each?.vms[0]?.name === app.name);
    expect(receipt).toBeDefined();
    const before = questions.length;
    const recovered = await proxy.call('zerto_recover_file', { receipt: receipt?.id, path: `/etc/${file}` });
    expect(recovered.isError ?? false, textOf(recovered)).toBe(false);
    const content = recovered.structuredContent as { encoding: string; content: string; bytes: number; sha256: string };
    const bytes = Buffer.from(content.content, content.encoding === 'base64' ? 'base64' : 'utf8');
    expect(bytes.equals(ORIGINAL)).toBe(true);
    expect(content).toMatchObject({ bytes: ORIGINAL.length, sha256: sha256(ORIGINAL) });
    expect(questions).toHaveLength(before + 1);
    expect(questions.at(-1)).toContain(app.name);
    expect(world.sessions).toEqual([]);
  });
});

test.skipIf(missing !== undefined)(
  `${verifies('C-2', 'R-1')} no agent gives a command or a server of mcp-ssh-manager another meaning by itself${skipped}`,
  async () => {
    const [app, db] = ssh.vms as [SshVm, SshVm];
    const { command, env } = sshManager(ssh, join(scratch, 'aliases'));
    const proxy = await startProxy({ config: { zvm: sitesOf(['site-a', simulator]) }, downstream: command, env });
    try {
      for (const [tool, args] of [
        ['ssh_command_alias', { action: 'add', alias: 'uptime', command: `touch ${join(db.disk, 'aliased')}` }],
        ['ssh_alias', { action: 'add', alias: app.name, server: db.name }],
      ] as const) {
        const refused = await proxy.call(tool, args);
        expect(textOf(refused)).toMatch(/^TARGET_UNRESOLVED: .*later calls.*not sent/s);
        const listed = await proxy.call(tool, { action: 'list' });
        expect(textOf(listed)).not.toMatch(/not sent|aliased/);
      }
    } finally {
      await proxy.close();
    }
  },
);

describe.skipIf(missing !== undefined)(`connections that the agent names${skipped}`, () => {
  test(`${verifies('R-1', 'R-2', 'C-2')} a connection is the VM it was opened to, and the VM of that name too where the agent chose one; a program that it started is no shell`, async () => {
    const [app, db] = ssh.vms as [SshVm, SshVm];
    const { command, env } = sshSecured(ssh, join(scratch, 'named'));
    const proxy = await startProxy({ config: config(), downstream: command, env });
    const login = { host: db.host, port: db.port, username: ssh.user, privateKey: ssh.key };
    try {
      const opened = await proxy.call('ssh_connect', { ...login, connectionId: app.name });
      expect(textOf(opened)).toMatch(/connected/);
      const path = join(db.disk, 'named');
      const written = await proxy.call('ssh_execute', { connectionId: app.name, command: `touch ${path}` });
      expect(receiptOf(written)?.vms.map(({ name }) => name)).toEqual([db.name, app.name]);
      expect(statSync(path).isFile()).toBe(true);

      const unopened = await proxy.call('ssh_execute', { connectionId: db.name, command: `rm ${path}` });
      expect(textOf(unopened)).toMatch(/^TARGET_UNRESOLVED: .*opened/s);
      expect(statSync(path).isFile()).toBe(true);

      const auto = await proxy.call('ssh_connect', login);
      const id = /connectionId=(\S+)/.exec(textOf(auto))?.[1];
      const read = await proxy.call('ssh_execute', { connectionId: id, command: 'echo "on $VMNAME"' });
      expect(textOf(read)).toContain(`on ${db.name}`);
      const removed = await proxy.call('ssh_execute', { connectionId: id, command: `rm ${path}` });
      expect(receiptOf(removed)?.vms.map(({ name }) => name)).toEqual([db.name]);

      const cat = { jumpCommand: 'cat', jumpPromptPattern: '.*', connectionId: 'jump' };
      const jump = await proxy.call('zerto_check_tool', {
        tool: 'ssh_connect_with_jump_command',
        arguments: { ...login, ...cat },
      });
      expect(textOf(jump)).toMatch(/^Effect: unknown\./);
    } finally {
      await proxy.close();
    }
  });
});

describe.skipIf(missing !== undefined)(`the list of tools${skipped}`, () => {
  const kinds = [
    ['ssh-mcp', sshMcp, 14],
    ['mcp-ssh-manager', sshManager, 37],
    ['ssh-mcp-server-secured', sshSecured, 17],
  ] as const;
  test.each(kinds)(
    `${verifies('T-4', 'T-5', 'T-1')} %s: every byte of the server's own answer is there, and the proxy's tools stand after its last`,
    async (name, start, count) => {
      const { command, env } = start(ssh, join(scratch, `list-${name}`));
      const file = join(scratch, `list-${name}.json`);
      writeFileSync(file, JSON.stringify(config()));
      const wrapped = [process.execPath, BIN, '--config', file, '--', ...command] as const;
      const [bare, proxied] = await Promise.all([
        rawTools(command, env),
        rawTools(wrapped, { ...env, XDG_STATE_HOME: scratch }),
      ]);
      expectOnlyNativeAdded(bare, proxied, count);
    },
  );
});

/** The checkpoint of a receipt of one VM, as the appliance's journal holds it. */
function tagOf(receipt: Receipt | undefined) {
  const vpg = receipt?.vms[0]?.vpgs[0];
  const tag = world.vpg(vpg?.name ?? '').journal.find(({ id }) => String(id) === vpg?.tag.checkpointIdentifier);
  if (tag === undefined) throw new Error(`no checkpoint ${vpg?.tag.checkpointIdentifier} in the journal`);
  expect(tag.tag).toBe(vpg?.tag.name);
  return tag;
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
