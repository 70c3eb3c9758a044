import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Receipt } from '../../src/domain/receipt.js';
import { createWorld, type Simulator, startSimulator, type World } from '../../src/simulator/index.js';
import { BIN, type ProxyProcess, receiptOf, sitesOf, startProxy } from '../support/proxy-process.js';
import { atTerminal, HAS_TERMINAL } from '../support/terminal.js';

/** Seconds count: a tag must lie one second before the call. */
const TIMINGS = { gapMs: 1_000, completedMs: 50, stampMs: 20, listedMs: 60 };
const SECRET = 'root:$6$abc$defghijklmnop:19000:0:99999:7:::\n';

let world: World;
let simulator: Simulator;
let proxy: ProxyProcess;
let scratch: string;
let config: string;
let receipt: Receipt;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'rewind-recover-'));
  world = createWorld({
    sites: [{ name: 'site-a' }],
    vms: [
      { name: 'app01', addresses: ['10.0.0.11'] },
      { name: 'web01', addresses: ['10.0.0.12'] },
    ],
    vpgs: [
      { name: 'app', vms: ['app01'], timings: TIMINGS },
      { name: 'web', vms: ['web01'], timings: TIMINGS },
    ],
  });
  world.write('app01', '/etc/app.conf', 'port = 1\n');
  world.write('app01', '/etc/shadow', SECRET);
  world.write('app01', '/etc/conf.d/10-a.conf', 'a');
  world.write('app01', '/etc/conf.d/copy of shadow', SECRET);
  world.write('app01', '/etc/conf.d/line\nbreak', 'n');
  world.write('app01', '/srv/back\\slash', 'b');
  for (let index = 0; index < 20; index += 1) world.write('app01', `/srv/many/f${index}`, String(index));
  world.write('app01', '/srv/big.bin', Buffer.alloc(3 << 20, 'big'));
  world.write('app01', '/srv/steer', '\u001b[31mred\u0007');
  world.link('app01', '/etc/conf.d/link', '../app.conf');
  simulator = await startSimulator({ world, knobs: { mountMs: 50, unmountMs: 20 } });
  const settings = { zvm: sitesOf(['site-a', simulator]), policy: { unknown: 'pin' } };
  config = join(scratch, 'config.json');
  proxy = await startProxy({ config: settings, scratch });
  const answer = await proxy.call('run', { host: 'app01', command: 'printf broken > /etc/app.conf' });
  const made = receiptOf(answer);
  if (made === undefined) throw new Error(JSON.stringify(answer));
  receipt = made;
  world.write('app01', '/etc/app.conf', 'broken');
});
afterAll(async () => {
  await proxy.close();
  await simulator.close();
  world.close();
  rmSync(scratch, { recursive: true, force: true });
});

interface Ran {
  readonly status: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

const FAILED: Ran = { status: null, stdout: Buffer.alloc(0), stderr: 'it did not run' };

function run(...args: string[]): Promise<Ran> {
  const env = { ...process.env, XDG_STATE_HOME: scratch, XDG_CONFIG_HOME: scratch };
  const child = spawn(process.execPath, [BIN, '--config', config, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  return new Promise((resolve) =>
    child.once('close', (status) =>
      resolve({ status, stdout: Buffer.concat(out), stderr: Buffer.concat(err).toString() }),
    ),
  );
}

const sha = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
let count = 0;
function fresh(): string {
  count += 1;
  return join(scratch, `to-${count}`);
}

async function recorded(tool: string): Promise<unknown[]> {
  return (await proxy.audit()).filter((call) => call.intent.tool === tool);
}

/** Outcome records as they stand in the files. */
function outcomes(): string[] {
  const files = readdirSync(proxy.auditDir).filter((name) => name.endsWith('.jsonl'));
  return files.flatMap((name) =>
    readFileSync(join(proxy.auditDir, name), 'utf8')
      .split('\n')
      .filter((line) => line.includes('"kind":"outcome"')),
  );
}

describe('recover', () => {
  test('a file goes to stdout as it was, with its hash on stderr', async () => {
    const { status, stdout, stderr } = await run('recover', '--receipt', receipt.id, '--path', '/etc/app.conf');
    expect({ status, out: stdout.toString() }, stderr).toEqual({ status: 0, out: 'port = 1\n' });
    expect(stderr).toContain(`${sha('port = 1\n')}  app.conf`);
    expect(stderr).toMatch(/"app01" in VPG "app" at checkpoint \d+ of .*lacks the changes of the last \d+ min/);
    expect(world.sessions).toEqual([]);
    expect(await recorded('recover')).toHaveLength(1);
    expect(outcomes().some((line) => line.includes(sha('port = 1\n')) && line.includes('"bytes":9'))).toBe(true);
    expect(outcomes().join()).not.toContain('port = 1');
  });

  test('a file of any size goes to a folder, with a list that sha256sum reads', async () => {
    const to = fresh();
    const { status, stdout } = await run('recover', '--receipt', receipt.id, '--path', '/srv/big.bin', '--to', to);
    const bytes = Buffer.alloc(3 << 20, 'big');
    expect({ status, out: stdout.toString() }).toEqual({ status: 0, out: `${sha(bytes)}  big.bin\n` });
    expect(readFileSync(join(to, 'big.bin')).equals(bytes)).toBe(true);
    const again = await run('recover', '--receipt', receipt.id, '--path', '/srv/big.bin', '--to', to);
    expect(again).toMatchObject({ status: 1, stderr: expect.stringContaining('--force replaces it') });
    writeFileSync(join(to, 'big.bin'), 'changed');
    expect(
      (await run('recover', '--receipt', receipt.id, '--path', '/srv/big.bin', '--to', to, '--force')).status,
    ).toBe(0);
    expect(readFileSync(join(to, 'big.bin')).equals(bytes)).toBe(true);
  });

  test('a folder comes whole, but for links and secrets, which are named', async () => {
    const to = fresh();
    const { status, stdout, stderr } = await run('recover', '--receipt', receipt.id, '--path', '/etc', '--to', to);
    expect(status).toBe(1);
    expect(readFileSync(join(to, 'etc', 'app.conf'), 'utf8')).toBe('port = 1\n');
    expect(readFileSync(join(to, 'etc', 'conf.d', 'line\nbreak'), 'utf8')).toBe('n');
    expect(existsSync(join(to, 'etc', 'shadow'))).toBe(false);
    expect(existsSync(join(to, 'etc', 'conf.d', 'copy of shadow'))).toBe(false);
    expect(existsSync(join(to, 'etc', 'conf.d', 'link'))).toBe(false);
    expect(stdout.toString()).toContain(`\\${sha('n')}  etc/conf.d/line\\nbreak\n`);
    expect(stderr).toContain('"/etc/conf.d/link": Cannot restore. Links are not supported.');
    expect(stderr).toMatch(/"\/etc\/shadow": it may hold password hashes.*--with-secrets/);
    expect(stderr).toMatch(/"\/etc\/conf\.d\/copy of shadow": its content looks like a shadow file/);
    expect(stderr).toMatch(/3 files, .*1 links .*2 were not recovered/);
    const listed = await run('recover', '--receipt', receipt.id, '--path', '/etc/conf.d');
    expect(listed.stdout.toString()).toMatch(/10-a\.conf\n.*copy of shadow\n.*link {2}.*|line\\u000abreak/s);
  });

  test('many small files of a folder come by few requests; an odd name by its own, or with the reason why not', async () => {
    const downloads = () => simulator.requests.filter(({ path }) => path.endsWith('/download')).length;
    const [before, to] = [downloads(), fresh()];
    const { status, stderr } = await run('recover', '--receipt', receipt.id, '--path', '/srv', '--to', to);
    expect(status).toBe(1);
    for (let index = 0; index < 20; index += 1)
      expect(readFileSync(join(to, 'srv', 'many', `f${index}`), 'utf8')).toBe(String(index));
    // The twenty together; the others of /srv and what its fstab may be.
    expect(downloads() - before).toBeLessThan(6);
    expect(stderr).toMatch(/"\/srv\/back\\\\slash": The appliance does not take the backslash/);
    const odd = await run('recover', '--receipt', receipt.id, '--path', '/etc/conf.d/line\nbreak');
    expect(odd.stdout.toString()).toBe('n');
    simulator.knobs.backslash = 'name';
    const named = await run('recover', '--receipt', receipt.id, '--path', '/srv/back\\slash');
    simulator.knobs.backslash = 'refused';
    expect({ status: named.status, out: named.stdout.toString() }).toEqual({ status: 0, out: 'b' });
  });

  test('what cannot be, says why, and nothing stays mounted', async () => {
    const cases: [string[], number, RegExp][] = [
      [['--path', '/etc/app.conf'], 2, /--receipt is needed/],
      [['--receipt', 'x'], 2, /--path is needed/],
      [['--receipt', receipt.id, '--path', '/x', '--from', 'now'], 2, /--from is one of recoverFrom, tag/],
      [['--receipt', receipt.id, '--path', '/x', '--destination', 'y'], 2, /is no option/],
      [['--receipt', 'rcp_none', '--path', '/x'], 1, /no receipt "rcp_none"/],
      [['--receipt', receipt.id, '--path', '/none'], 1, /"\/none" is not in the checkpoint; searched: "Volume1-Ext4"/],
      [['--receipt', receipt.id, '--path', '/etc/conf.d/link'], 1, /Links are not supported/],
      [['--receipt', receipt.id, '--path', '/etc/shadow'], 1, /password hashes.*--with-secrets/],
      [['--receipt', receipt.id, '--path', '/etc/shadow', '--with-secrets'], 1, /needs a human at a terminal/],
      [['--vm', 'web01', '--checkpoint', '1', '--path', '/x'], 1, /Checkpoint 1 of VPG "web"/],
    ];
    const ran = await Promise.all(cases.map(([args]) => run('recover', ...args)));
    for (const [index, [args, code, words]] of cases.entries()) {
      const { status, stdout, stderr } = ran[index] ?? FAILED;
      expect({ status, out: stdout.length }, `${args.join(' ')}: ${stderr}`).toEqual({ status: code, out: 0 });
      expect(stderr).toMatch(words);
    }
    expect(world.sessions).toEqual([]);
  });

  test('an appliance that sends something else leaves no file', async () => {
    const to = fresh();
    simulator.faults.download({ kind: 'cut', bytes: 4 });
    const cut = await run('recover', '--receipt', receipt.id, '--path', '/etc/app.conf', '--to', to);
    expect(cut).toMatchObject({ status: 1, stderr: expect.stringMatching(/not recovered: .*(broke off|sent)/) });
    expect(existsSync(to) ? readdirSync(to) : []).toEqual([]);
    simulator.faults.download({ kind: 'zip' });
    expect((await run('recover', '--receipt', receipt.id, '--path', '/etc/app.conf', '--to', to)).status).toBe(0);
    expect(readFileSync(join(to, 'app.conf'), 'utf8')).toBe('port = 1\n');
    await expect.poll(() => world.sessions.length).toBe(0);
  });

  test.skipIf(!HAS_TERMINAL)(
    'at a terminal a file does not steer it, and secrets come after the VM was named',
    async () => {
      const env = { XDG_STATE_HOME: scratch, XDG_CONFIG_HOME: scratch };
      const base = ['--config', config, 'recover', '--receipt', receipt.id, '--path'];
      const shown = await atTerminal([...base, '/srv/steer'], env);
      expect(shown.screen).toContain('\\u001b[31mred\\u0007');
      const to = fresh();
      const secret = [...base, '/etc/shadow', '--with-secrets', '--to', to];
      const no = await atTerminal(secret, env, [[/Type the name of the VM/, 'yes']]);
      expect(no.status).toBe(1);
      expect(existsSync(to)).toBe(false);
      const yes = await atTerminal(secret, env, [[/Type the name of the VM/, 'app01']]);
      expect({ status: yes.status, screen: yes.screen }).toMatchObject({ status: 0 });
      expect(readFileSync(join(to, 'shadow'), 'utf8')).toBe(SECRET);
      expect(outcomes().join()).not.toContain('defghijklmnop');
    },
  );

  test('SIGTERM ends it without a mount and without half a file', async () => {
    const to = fresh();
    simulator.knobs.mountMs = 3_000;
    try {
      const env = { ...process.env, XDG_STATE_HOME: scratch };
      const args = [BIN, '--config', config, 'recover', '--receipt', receipt.id, '--path', '/srv/big.bin', '--to', to];
      const child = spawn(process.execPath, args, { env, stdio: 'ignore' });
      await expect.poll(() => world.sessions.length, { timeout: 20_000 }).toBe(1);
      child.kill('SIGTERM');
      const status = await new Promise((resolve) => child.once('close', resolve));
      expect(status).toBe(1);
      expect(world.sessions).toEqual([]);
      expect(existsSync(to)).toBe(false);
    } finally {
      simulator.knobs.mountMs = 50;
    }
  });
});

describe('drill', () => {
  test('proves that a file can be recovered, for a scheduler', async () => {
    const args = ['drill', '--vm', 'app01', '--path', '/etc/app.conf'];
    const plain = await run(...args);
    expect({ status: plain.status, out: plain.stdout.toString() }, plain.stderr).toEqual({
      status: 0,
      out: expect.stringMatching(
        new RegExp(`^proved: "/etc/app.conf" of "app01" .*9 bytes, SHA-256 ${sha('port = 1\n')}`),
      ),
    });
    const good = await run(...args, '--expect', sha('port = 1\n').toUpperCase(), '--json');
    expect(good.status).toBe(0);
    expect(JSON.parse(good.stdout.toString())).toMatchObject({ ok: true, receipt: receipt.id, bytes: 9, vpg: 'app' });
    const bad = await run(...args, '--expect', sha('other'));
    expect({ status: bad.status, out: bad.stdout.toString() }).toMatchObject({
      status: 1,
      out: expect.stringContaining('not proved: expected'),
    });
    expect(world.sessions).toEqual([]);
    expect((await recorded('drill')).length).toBe(3);
  });

  test('says why not', async () => {
    const cases = [
      [['--vm', 'web01', '--path', '/f'], 1, /no receipt of "web01" yet/],
      [['--vm', 'nobody', '--path', '/f'], 1, /"nobody" is unresolved|No VM is known/],
      [['--vm', 'app01', '--path', '/none'], 1, /no file that the checkpoint has/],
      [['--vm', 'app01', '--path', '/etc/shadow'], 1, /choose another file/],
      [['--vm', 'app01'], 2, /--path are needed/],
      [['--vm', 'app01', '--path', '/f', '--expect', 'x'], 2, /SHA-256/],
    ] as const;
    const all = await Promise.all(cases.map(([args]) => run('drill', ...args)));
    for (const [index, [, status, words]] of cases.entries()) {
      const ran = all[index] ?? FAILED;
      expect(ran.status, ran.stderr).toBe(status);
      expect(ran.stdout.toString() + ran.stderr).toMatch(words);
    }
    simulator.faults.mount({ kind: 'fail' });
    expect((await run('drill', '--vm', 'app01', '--path', '/etc/app.conf')).status).toBe(1);
    expect(world.sessions).toEqual([]);
  });
});

describe('rewind', () => {
  test('prints the plan of a change and of a session, newest first, with the exact calls', async () => {
    const second = await proxy.call('run', {
      host: 'app01',
      command: 'export TOKEN=ghp_abcdefghijklmnopqrstuvwxyz0123456789; rm /etc/app.conf /var/lib/mysql/app/t.ibd',
    });
    const later = receiptOf(second);
    if (later === undefined) throw new Error(JSON.stringify(second));
    const { status, stdout, stderr } = await run('rewind', receipt.session);
    const plan = stdout.toString();
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(plan).toMatch(/^"s_\w+": \d+ calls, 2 of them may have changed something/);
    expect(plan.indexOf(later.id)).toBeLessThan(plan.indexOf(receipt.id));
    const call = (id: string) =>
      `zerto-rewind-proxy --config ${config} recover --receipt ${id} --vm app01 --path /etc/app.conf --to rewind-${id}`;
    expect(plan).toContain(call(later.id));
    expect(plan.split('Each file as it was before all of this')[1]).toContain(call(receipt.id));
    expect(plan.split('Each file as it was before all of this')[1]).not.toContain(later.id);
    expect(plan).toMatch(
      /"\/var\/lib\/mysql\/app\/t\.ibd": it belongs to a database of MySQL.*test failover of VPG "app"/s,
    );
    expect(plan).not.toContain('ghp_');
    expect(plan).not.toMatch(/failover live|live failover/i);
    const one = await run('rewind', '--json', receipt.change);
    expect(JSON.parse(one.stdout.toString())).toMatchObject({ steps: [{ receipt: { id: receipt.id } }] });
    expect(world.sessions).toEqual([]);
  });

  test('its calls are what a human runs: the step brings the file back', async () => {
    const plan = (await run('rewind', receipt.id)).stdout.toString();
    const [line = ''] = /recover --receipt \S+ --vm \S+ --path \S+/.exec(plan) ?? [];
    const { status, stdout } = await run(...line.split(' '));
    expect({ status, out: stdout.toString() }).toEqual({ status: 0, out: 'port = 1\n' });
  });

  test('asks the journal: what is gone is told, with the point that is left; --offline asks nobody', async () => {
    const vpg = world.vpg('app');
    const { journal } = vpg;
    const own = receipt.vms[0]?.vpgs[0]?.recoverFrom.checkpointIdentifier;
    const at = journal.findIndex(({ id }) => String(id) === own);
    vpg.journal = journal.filter((_, index) => index !== at);
    const plan = (await run('rewind', receipt.id)).stdout.toString();
    expect(plan).toMatch(/checkpoint \d+ of VPG "app" is lost.*the newest point before it that is left/s);
    const [, left = ''] = /--vpg app --checkpoint (\d+) --path \/etc\/app\.conf/.exec(plan) ?? [];
    expect(journal.find(({ id }) => String(id) === left)?.at).toBeLessThan(journal[at]?.at ?? 0);
    const asked = simulator.requests.length;
    const offline = (await run('rewind', '--offline', receipt.id)).stdout.toString();
    expect(offline).toContain('is not known: --offline was given');
    expect(simulator.requests.slice(asked)).toEqual([]);
    const [line = ''] = /recover --vm \S+ --vpg \S+ --checkpoint \S+ --path \S+/.exec(plan) ?? [];
    expect((await run(...line.split(' '))).stdout.toString()).toBe('port = 1\n');
    vpg.journal = journal;
  });

  test('of what nobody knows says so', async () => {
    expect(await run('rewind', 'chg_none')).toMatchObject({ status: 1, stderr: expect.stringContaining('"chg_none"') });
    expect((await run('rewind')).status).toBe(2);
    expect((await run('rewind', 'a', 'b')).status).toBe(2);
  });
});
