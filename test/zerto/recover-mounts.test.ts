import { spawnSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { recoverFile } from '../../src/zerto/recover.js';
import { fileMountJournal, type Mount, newMountKey } from '../../src/zerto/recover-mounts.js';
import { endOrphans } from '../../src/zerto/recover-orphans.js';
import type { RecoveryClient } from '../../src/zerto/recover-types.js';
import { bind, type Lab, LIMITS, lab, tempDir } from './recover-support.js';

function mount(over: Partial<Mount> = {}): Mount {
  return {
    key: newMountKey(),
    site: 'site-a',
    vmIdentifier: 'vm',
    vpgIdentifier: 'vpg',
    checkpointIdentifier: '1',
    before: [],
    startedAt: new Date().toISOString(),
    pid: process.pid,
    ...over,
  };
}

describe('the journal of mounts', () => {
  it('keeps what was added until it is removed, also for another reader', async () => {
    const dir = join(await tempDir(), 'a', 'b');
    const [journal, reader] = [fileMountJournal(dir), fileMountJournal(dir)];
    expect(await reader.list()).toEqual([]);
    const [one, two] = [mount(), mount()];
    await journal.add(one);
    await journal.add(two);
    await journal.add({ ...one, session: 's' });
    expect((await reader.list()).map(({ session }) => session).sort()).toEqual(['s', undefined].sort());
    await journal.remove(one.key);
    await journal.remove(one.key);
    expect(await reader.list()).toEqual([two]);
    expect(await readdir(dir)).toEqual([`${two.key}.json`]);
  });

  it.skipIf(process.platform === 'win32')('is closed to others and follows no link', async () => {
    const dir = join(await tempDir(), 'mounts');
    const journal = fileMountJournal(dir);
    const one = mount();
    await journal.add(one);
    expect((await stat(dir)).mode & 0o777).toBe(0o700);
    expect((await stat(join(dir, `${one.key}.json`))).mode & 0o777).toBe(0o600);
    const outside = join(await tempDir(), 'outside');
    await writeFile(outside, JSON.stringify(mount()));
    await symlink(outside, join(dir, `${newMountKey()}.json`));
    expect(await journal.list()).toEqual([one]);
    const link = join(await tempDir(), 'link');
    await symlink(dir, link);
    await expect(fileMountJournal(link).add(mount())).rejects.toThrow('link');
  });

  it('reads past what is no entry', async () => {
    const dir = await tempDir();
    const journal = fileMountJournal(dir);
    await writeFile(join(dir, `${newMountKey()}.json`), '{"key":');
    await writeFile(join(dir, `${newMountKey()}.json`), '{"key":"../../x"}');
    await writeFile(join(dir, `${newMountKey()}.json`), ' '.repeat(300_000));
    await mkdir(join(dir, `${newMountKey()}.json`));
    await writeFile(join(dir, 'notes.json'), JSON.stringify(mount()));
    expect(await journal.list()).toEqual([]);
  });

  it('never names a file after anything from outside', async () => {
    const journal = fileMountJournal(await tempDir());
    await expect(journal.add(mount({ key: '../../../tmp/x' }))).rejects.toThrow();
    expect(() => journal.remove('../x')).toThrow();
  });

  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
    'that cannot be written stops the mount',
    async () => {
      const it = await prepared();
      await mkdir(it.mountsDir, { recursive: true });
      await chmod(it.mountsDir, 0o500);
      await expect(recoverFile(it.client, request(it), it.tools, new AbortController().signal)).rejects.toThrow(
        'noted',
      );
    },
  );

  it('that cannot be written stops the mount before it is asked for', async () => {
    const it = await prepared();
    await writeFile(it.mountsDir, 'a file in its place');
    await expect(recoverFile(it.client, request(it), it.tools, new AbortController().signal)).rejects.toThrow('noted');
    expect(it.simulator.requests.some(({ method, path }) => method === 'POST' && path.endsWith('/flrs'))).toBe(false);
    expect(it.tools.active.size).toBe(0);
  });
});

async function prepared(): Promise<Lab> {
  const it = await lab();
  it.world.write('app01', '/f', 'x');
  it.pin('app');
  return it;
}

function request(it: Lab) {
  const vpg = it.world.vpg('app');
  const checkpointIdentifier = String(vpg.journal.at(-1)?.id);
  const { vpgIdentifier } = vpg;
  return {
    vpgIdentifier,
    checkpointIdentifier,
    vmIdentifier: it.vmId('app01'),
    recoverySite: it.site,
    maxBytes: 9,
    path: '/f',
  };
}

function goneProcess(): number {
  return spawnSync(process.execPath, ['-e', '']).pid;
}

function sweep(it: Lab) {
  const { mounts, active, now } = it.tools;
  const log = { ...it.tools.log, info: () => undefined };
  return endOrphans({ clients: new Map([['site-a', it.client]]), mounts, active, log, now, limits: LIMITS });
}

describe('orphans', () => {
  const signal = new AbortController().signal;

  it('of a process that is gone are ended, by their session', async () => {
    const it = await prepared();
    const session = await it.client.mount(request(it), signal);
    await it.tools.mounts.add(mount({ ...request(it), session, pid: goneProcess() }));
    expect(await sweep(it)).toEqual({ ended: 1, left: 0 });
    expect(it.world.sessions).toEqual([]);
    expect(await it.tools.mounts.list()).toEqual([]);
  });

  it('whose session was never noted are found by VM, VPG and checkpoint; those of others stay', async () => {
    const it = await prepared();
    const older = await it.client.mount(request(it), signal);
    const first = String(it.world.vpg('app').journal[0]?.id);
    const elsewhere = await it.client.mount({ ...request(it), checkpointIdentifier: first }, signal);
    const claimed = await it.client.mount(request(it), signal);
    await it.tools.mounts.add(mount({ ...request(it), session: claimed, pid: process.ppid }));
    await it.client.mount(request(it), signal);
    await it.tools.mounts.add(mount({ ...request(it), before: [older], pid: goneProcess() }));
    expect(await sweep(it)).toEqual({ ended: 1, left: 0 });
    expect(it.world.sessions.map(({ flrSessionIdentifier }) => flrSessionIdentifier)).toEqual([
      older,
      elsewhere,
      claimed,
    ]);
  });

  it('of a process that lives stay, for a day', async () => {
    const it = await prepared();
    const session = await it.client.mount(request(it), signal);
    const living = mount({ ...request(it), session, pid: process.ppid });
    await it.tools.mounts.add(living);
    expect(await sweep(it)).toEqual({ ended: 0, left: 0 });
    expect(it.world.sessions).toHaveLength(1);
    await it.tools.mounts.add({ ...living, startedAt: new Date(Date.now() - 25 * 3_600_000).toISOString() });
    expect(await sweep(it)).toEqual({ ended: 1, left: 0 });
    expect(it.world.sessions).toEqual([]);
  });

  it('that this process reads from stay; those it gave up on are ended', async () => {
    const it = await prepared();
    const session = await it.client.mount(request(it), signal);
    const own = mount({ ...request(it), session });
    await it.tools.mounts.add(own);
    it.tools.active.add(own.key);
    expect(await sweep(it)).toEqual({ ended: 0, left: 0 });
    it.tools.active.delete(own.key);
    expect(await sweep(it)).toEqual({ ended: 1, left: 0 });
  });

  it('of a site that is not configured, or that does not answer, are left', async () => {
    const it = await prepared();
    await it.tools.mounts.add(mount({ site: 'site-z', pid: goneProcess() }));
    await it.tools.mounts.add(mount({ pid: goneProcess() }));
    await it.simulator.faults.network('down');
    expect(await sweep(it)).toEqual({ ended: 0, left: 2 });
    expect(await it.tools.mounts.list()).toHaveLength(2);
  });
});

describe('a mount whose answer was lost', () => {
  it('is looked for, since it may come late', async () => {
    const it = await prepared();
    const late: RecoveryClient = {
      ...bind(it),
      mount: (asked) => {
        setTimeout(() => void it.client.mount(asked, new AbortController().signal), 100);
        return Promise.reject(new Error('no answer'));
      },
    };
    await expect(recoverFile(late, request(it), it.tools, new AbortController().signal)).rejects.toThrow('no answer');
    expect(it.simulator.requests.some(({ method, path }) => method === 'POST' && path.endsWith('/flrs'))).toBe(true);
    expect(it.world.sessions).toEqual([]);
    expect(await it.tools.mounts.list()).toEqual([]);
  });

  it('stays in the journal where it was not found, for the next start', async () => {
    const it = await prepared();
    const lost: RecoveryClient = { ...bind(it), mount: () => Promise.reject(new Error('no answer')) };
    await expect(recoverFile(lost, request(it), it.tools, new AbortController().signal)).rejects.toThrow('no answer');
    expect(await it.tools.mounts.list()).toHaveLength(1);
    expect(it.warnings).toHaveLength(1);
    await it.client.mount(request(it), new AbortController().signal);
    expect(await sweep(it)).toEqual({ ended: 1, left: 0 });
    expect(it.world.sessions).toEqual([]);
  });

  it('is never mistaken for one that was there before', async () => {
    const it = await prepared();
    const other = await it.client.mount(request(it), new AbortController().signal);
    const lost: RecoveryClient = { ...bind(it), mount: () => Promise.reject(new Error('no answer')) };
    await expect(recoverFile(lost, request(it), it.tools, new AbortController().signal)).rejects.toThrow('no answer');
    expect(it.world.sessions.map(({ flrSessionIdentifier }) => flrSessionIdentifier)).toEqual([other]);
  });

  it('its journal is readable for a human', async () => {
    const it = await prepared();
    const one = mount();
    await it.tools.mounts.add(one);
    expect(JSON.parse(await readFile(join(it.mountsDir, `${one.key}.json`), 'utf8'))).toEqual(one);
  });
});
