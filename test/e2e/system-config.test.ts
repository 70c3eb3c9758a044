import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defaultWorld, startSimulator } from '../../src/simulator/index.js';
import { BIN, startProxy } from '../support/proxy-process.js';
import { CAN_LAY, type ManagedMachine, managedMachine } from '../support/system-config.js';
import { verifies } from './requirements.js';

const RECORDING = join(import.meta.dirname, '..', 'fixtures', 'e2e', 'recording-server.mjs');
const rootTest = test.runIf(CAN_LAY);

/** Without an appliance the system's policy refuses what changes something; each looser config would forward or pin it. */
const SYSTEM = { mcpServers: { ssh: { command: process.execPath, args: [RECORDING], family: 'ssh' } } };
const LOOSER = {
  zvm: 'simulator',
  mode: 'observe',
  exempt: [{ hosts: ['*'], reason: 'x' }],
  policy: { unknown: 'pin', unresolved: 'forward', unprotected: 'forward' },
  mcpServers: { ssh: { command: '/bin/true' } },
  audit: { dir: 'elsewhere', redact: { arguments: ['command'], words: ['reboot'] } },
  export: { ocsf: { dir: 'elsewhere' } },
};
const EXPLAIN = ['explain', '--json', '--server', 'ssh', '--tool', 'ssh_execute'];
const REBOOT = [...EXPLAIN, '--args', '{"host":"app01","command":"reboot"}'];

interface Run {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly program?: readonly string[];
  readonly input?: string;
}

function run(
  { inside: [first, ...rest], dir }: ManagedMachine,
  { args = REBOOT, env = {}, cwd = dir, program = [process.execPath, BIN], input = '' }: Run,
) {
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve, reject) => {
    const child = spawn(first, [...rest, ...program, ...args], { cwd, env: { ...process.env, ...env } });
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => (stdout += String(chunk)));
    child.stderr.on('data', (chunk) => (stderr += String(chunk)));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

function withFiles(machine: ManagedMachine): ManagedMachine & { readonly file: string } {
  const { dir } = machine;
  const file = join(dir, 'looser.json');
  writeFileSync(file, JSON.stringify(LOOSER));
  for (const home of ['.config', 'Library/Application Support']) {
    mkdirSync(join(dir, home, 'zerto-rewind-proxy'), { recursive: true });
    symlinkSync(file, join(dir, home, 'zerto-rewind-proxy', 'proxy.config.json'));
  }
  for (const name of ['proxy.config.json', 'config.json']) symlinkSync(file, join(dir, name));
  writeFileSync(join(dir, '.mcp.json'), JSON.stringify({ mcpServers: LOOSER.mcpServers }));
  writeFileSync(join(dir, '.env'), `ZERTO_REWIND_CONFIG=${file}\n`);
  // Of the program's own modules: the current directory would have to come before the place where they lie.
  mkdirSync(join(dir, 'node_modules', 'zod'), { recursive: true });
  writeFileSync(join(dir, 'node_modules', 'zod', 'index.js'), 'throw new Error("the wrong zod")');
  writeFileSync(join(dir, 'package.json'), '{ "type": "commonjs", "main": "evil.js" }');
  writeFileSync(join(dir, '.npmrc'), `node-options=--require ${join(dir, 'evil.cjs')}\nglobalconfig=${file}\n`);
  return { ...machine, file };
}

const ATTEMPTS: readonly [string, (made: { dir: string; file: string }) => Run][] = [
  ['nothing', () => ({})],
  ['--config', ({ file }) => ({ args: ['--config', file, ...REBOOT] })],
  ['$ZERTO_REWIND_CONFIG', ({ file }) => ({ env: { ZERTO_REWIND_CONFIG: file } })],
  ['a relative $ZERTO_REWIND_CONFIG', () => ({ env: { ZERTO_REWIND_CONFIG: 'looser.json' } })],
  ['$HOME and a link in it', ({ dir }) => ({ env: { HOME: dir } })],
  ['$XDG_CONFIG_HOME', ({ dir }) => ({ env: { XDG_CONFIG_HOME: join(dir, '.config'), XDG_CONFIG_DIRS: dir } })],
  [
    'the current directory: .npmrc, package.json, .mcp.json, .env, node_modules',
    ({ dir }) => ({ cwd: dir, env: { PWD: dir, INIT_CWD: dir } }),
  ],
  [
    '$NODE_PATH and $NODE_ENV',
    ({ dir }) => ({ env: { NODE_PATH: join(dir, 'node_modules'), NODE_ENV: 'development' } }),
  ],
  [
    'npm_config_*',
    ({ dir, file }) => ({
      env: {
        npm_config_userconfig: file,
        npm_config_prefix: dir,
        npm_config_node_options: `--require ${dir}/evil.cjs`,
      },
    }),
  ],
  [
    'what the launcher hands on',
    ({ file, dir }) => ({
      env: {
        ZERTO_REWIND_CHILD_ZERTO_REWIND_CONFIG: file,
        ZERTO_REWIND_CHILD_HOME: dir,
        ZERTO_REWIND_CHILD_XDG_CONFIG_HOME: join(dir, '.config'),
      },
    }),
  ],
  [
    '$TMPDIR and proxies',
    ({ dir }) => ({ env: { TMPDIR: dir, HTTPS_PROXY: 'http://127.0.0.1:9', ALL_PROXY: 'http://127.0.0.1:9' } }),
  ],
  ['a quiet log', ({ file }) => ({ args: ['--log-level', 'silent', '--config', file, ...REBOOT] })],
];

rootTest(`${verifies('F-1')} no user's config, variable, link or directory loosens the system config`, async () => {
  const machine = withFiles(managedMachine(SYSTEM));
  const results = await Promise.all(
    ATTEMPTS.map(async ([name, how]) => [name, await run(machine, how(machine))] as const),
  );
  for (const [name, { stdout, stderr, code }] of results) {
    expect({ name, code, stderr: stderr.includes('nothing is known'), ...JSON.parse(stdout || '{}') }).toMatchObject({
      name,
      code: 0,
      stderr: false,
      effect: 'mutating',
      decision: 'refuse',
    });
  }
});

const SHELL = JSON.stringify({ session_id: 's', tool_name: 'Bash', tool_input: { command: 'ssh app01 reboot' } });

rootTest(
  `${verifies('F-1')} no name of a server, no audit directory, export or redaction of the user's own`,
  async () => {
    const machine = withFiles(managedMachine({ ...SYSTEM, allowOverride: ['targets'] }));
    const { dir, file } = machine;
    const named = (server: string) => run(machine, { args: ['--config', file, '--server', server] });
    const [hooked, ...others] = await Promise.all([
      run(machine, {
        args: ['--log-level', 'warn', '--config', file, 'hook', '--client', 'claude-code'],
        input: SHELL,
      }),
      ...['SSH', 'ssh ', 'other', '__proto__', '../ssh'].map(named),
    ]);
    expect(hooked).toMatchObject({ code: 2, stderr: expect.stringMatching(/CHECKPOINT_NOT_PINNED: .*not sent/) });
    const keys = Object.keys(LOOSER).map((key) => `"${key}"`);
    expect(keys.filter((key) => !hooked.stderr.includes(key))).toEqual([]);
    for (const { code, stdout, stderr } of others)
      expect({ code, stdout, stderr }).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining('CONFIG_INVALID'),
      });
    expect(existsSync(join(dir, 'elsewhere'))).toBe(false);
    const install = await run(machine, { args: ['install', '--dry-run', '--client', 'claude-code'] });
    expect(install.stderr).toMatch(/install: the system config .* says which servers may be wrapped.* it has "ssh"/);
    const log = await run(machine, { args: ['audit', 'list', '--json'] });
    expect(JSON.parse(log.stdout)).toMatchObject([{ vms: ['app01'], outcome: 'refused' }]);
  },
);

rootTest(
  `${verifies('F-1')} the launcher's proxy trusts no appliance of the environment's own, and goes through no proxy of it`,
  async () => {
    const disks = mkdtempSync(join(tmpdir(), 'rewind-disks-'));
    const simulator = await startSimulator({ world: defaultWorld({ disks }) });
    let proxied = 0;
    const proxy = createServer((socket) => {
      proxied += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    try {
      const { url, user: username, password, certificate } = simulator;
      const site = { name: 'a', url, auth: { grant: 'password', clientId: 'zerto-client', username, password } };
      const machine = withFiles(managedMachine({ ...SYSTEM, zvm: { sites: [site] } }));
      const { dir } = machine;
      const launcher = join(dir, 'launcher');
      const printed = await run({ ...machine, inside: ['env'] }, { args: ['export', 'launcher'] });
      writeFileSync(launcher, printed.stdout, { mode: 0o755 });
      const pem = join(dir, 'ca.pem');
      writeFileSync(pem, certificate);
      const through = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
      const env = {
        NODE_EXTRA_CA_CERTS: pem,
        SSL_CERT_FILE: pem,
        SSL_CERT_DIR: dir,
        NODE_OPTIONS: '--use-openssl-ca',
        NODE_USE_ENV_PROXY: '1',
        NODE_USE_SYSTEM_CA: '1',
        NODE_TLS_REJECT_UNAUTHORIZED: '0',
        HTTPS_PROXY: through,
        ALL_PROXY: through,
      };
      const hook = { args: ['hook', '--client', 'claude-code'], input: SHELL, env };
      const held = await run(machine, { ...hook, program: [launcher] });
      expect(held).toMatchObject({ code: 2, stderr: expect.stringMatching(/^ZVM_UNREACHABLE: .*not sent/s) });
      const switched = await run(machine, { ...hook, env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } });
      expect(switched).toMatchObject({ code: 2 });
      const direct = await run(machine, { env: { NODE_EXTRA_CA_CERTS: pem } });
      expect({ attempt: 'is real', ...JSON.parse(direct.stdout) }).toMatchObject({ decision: 'pin_then_forward' });
      expect(proxied).toBe(0);
    } finally {
      proxy.close();
      await simulator.close();
      simulator.world.close();
      rmSync(disks, { recursive: true, force: true });
    }
  },
);

rootTest(
  `${verifies('F-1')} the same files loosen where there is no system config: the attempts are real`,
  async () => {
    const machine = withFiles(managedMachine(SYSTEM));
    const bare = { ...machine, inside: ['env'] as const };
    const results = await Promise.all(
      ATTEMPTS.slice(1, 3).map(async ([, how]) => JSON.parse((await run(bare, how(machine))).stdout) as object),
    );
    for (const result of results) expect(result).toMatchObject({ decision: 'forward' });
  },
);

rootTest(
  `${verifies('F-1')} what may be set is set, what may not is told; only listed commands are wrapped`,
  async () => {
    const system = { ...SYSTEM, allowOverride: ['targets', 'exempt'], allowCommands: [['/bin/true', 'x']] };
    const machine = withFiles(managedMachine(system));
    const add = join(machine.dir, 'add.json');
    writeFileSync(add, JSON.stringify({ mode: 'observe', exempt: [{ hosts: ['app01'], reason: 'mine' }] }));
    const [exempted, other, wrapped, listed, url] = await Promise.all([
      run(machine, { args: ['--config', add, ...REBOOT] }),
      run(machine, { args: ['--config', add, ...EXPLAIN, '--args', '{"host":"db01","command":"reboot"}'] }),
      run(machine, { args: ['--as', 'ssh', '--', '/bin/true', 'y'] }),
      run(machine, { args: ['--', '/bin/true', 'x'] }),
      run(machine, { args: ['--url', 'http://127.0.0.1:9/mcp'] }),
    ]);
    expect(JSON.parse(exempted.stdout)).toMatchObject({ decision: 'forward' });
    expect(exempted.stderr).toMatch(/"keys":\["mode"\].*do not hold/);
    expect(JSON.parse(other.stdout)).toMatchObject({ decision: 'refuse' });
    expect(wrapped).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/does not let this server be wrapped.*"ssh"/),
    });
    expect(listed.stderr).not.toMatch(/does not let/);
    expect(url).toMatchObject({ code: 2, stderr: expect.stringMatching(/does not let/) });
  },
);

rootTest(
  `${verifies('F-1')} a system config that cannot be used: calls that read go through, others do not, whatever the user's says`,
  async () => {
    const machine = managedMachine('{ "polic": {} }');
    // The audit log goes to the account's own home, whatever the variables say.
    const proxy = await startProxy({ config: LOOSER, inside: machine.inside, scratch: machine.dir });
    try {
      expect((await proxy.call('ssh_execute', { host: 'app01', command: 'uptime' })).isError).not.toBe(true);
      const refused = await proxy.call('ssh_execute', { host: 'app01', command: 'reboot' });
      expect(refused).toMatchObject({
        isError: true,
        content: [{ text: expect.stringMatching(/^CONFIG_INVALID: .*not sent/) }],
      });
      expect(JSON.stringify(refused)).not.toContain('/etc');
      expect(proxy.received().map(({ command }) => command)).toEqual(['uptime']);
      expect(proxy.stderr()).toContain('polic');
    } finally {
      await proxy.close();
    }
    const unreadable = managedMachine(SYSTEM);
    chmodSync(join(unreadable.dir, 'etc', 'zerto-rewind-proxy', 'config.json'), 0o666);
    const { stdout, stderr } = await run(unreadable, {
      args: ['--config', join(machine.dir, 'config.json'), ...REBOOT],
    });
    expect(JSON.parse(stdout)).toMatchObject({ decision: 'refuse' });
    expect(stderr).toMatch(/written by others/);
  },
);

rootTest(
  `${verifies('F-1')} started by the launcher, variables that make Node or a shell run something else change nothing`,
  async () => {
    const machine = withFiles(managedMachine(SYSTEM));
    const { dir, file } = machine;
    const printed = await run({ ...machine, inside: ['env'] }, { args: ['export', 'launcher'] });
    const launcher = join(dir, 'launcher');
    writeFileSync(launcher, printed.stdout, { mode: 0o755 });
    const marker = join(dir, 'ran');
    // What it would do in the proxy: answer in its place.
    writeFileSync(join(dir, 'evil.cjs'), `require('node:fs').writeFileSync(${JSON.stringify(marker)}, 'x')`);
    for (const name of ['node', 'env', 'npx'])
      writeFileSync(join(dir, name), `#!/bin/sh\n: > '${marker}'\n`, { mode: 0o755 });
    const env = {
      PATH: `${dir}:${process.env['PATH'] ?? ''}`,
      NODE_OPTIONS: `--require ${join(dir, 'evil.cjs')}`,
      NODE_PATH: dir,
      NODE_EXTRA_CA_CERTS: file,
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
      ZERTO_REWIND_CONFIG: file,
    };
    const explain = await run(machine, { program: [launcher], env });
    expect(JSON.parse(explain.stdout)).toMatchObject({ decision: 'refuse' });
    expect(existsSync(marker)).toBe(false);
    const direct = await run(machine, { env });
    expect({ code: direct.code, ran: existsSync(marker) }).toMatchObject({ ran: true });
  },
);
