import { describe, expect, it } from 'vitest';
import type { Faults } from '../../src/simulator/index.js';
import { recoverFile } from '../../src/zerto/recover.js';
import type { RecoveryClient } from '../../src/zerto/recover-types.js';
import { bind, type Lab, lab } from './recover-support.js';

async function prepared(): Promise<{
  it: Lab;
  run: (client?: RecoveryClient, signal?: AbortSignal) => Promise<unknown>;
}> {
  const it = await lab();
  it.world.write('app01', '/etc/app.conf', 'as it was');
  const point = it.pin('app');
  const request = {
    ...point,
    vmIdentifier: it.vmId('app01'),
    recoverySite: it.site,
    maxBytes: 99,
    path: '/etc/app.conf',
  };
  return {
    it,
    run: (client = it.client, signal = new AbortController().signal) => recoverFile(client, request, it.tools, signal),
  };
}

async function nothingLeft(lab: Lab): Promise<void> {
  await expect.poll(() => lab.world.sessions.length).toBe(0);
  expect(await lab.tools.mounts.list()).toEqual([]);
  expect(lab.tools.active.size).toBe(0);
}

describe('an appliance that fails leaves no mount and gives no content', () => {
  const cases: [string, (faults: Faults) => void, RegExp][] = [
    [
      'the mount is refused',
      (faults) => faults.mount({ kind: 'refuse', status: 409, message: 'too many sessions' }),
      /too many sessions/,
    ],
    ['the mount hangs', (faults) => faults.mount({ kind: 'hang' }), /not ready in time/],
    ['the mount fails', (faults) => faults.mount({ kind: 'fail' }), /could not mount/],
    ['the answer to the mount is lost', (faults) => faults.mount({ kind: 'drop_answer' }), /did not answer/],
    [
      'browsing is refused',
      (faults) => faults.endpoint(/browse/, { kind: 'status', status: 500, message: 'no' }),
      /refused with HTTP 500/,
    ],
    [
      'the connection is cut while browsing',
      (faults) => faults.endpoint(/browse/, { kind: 'drop' }, { times: 9 }),
      /did not answer/,
    ],
    [
      'the download is refused',
      (faults) => faults.endpoint(/\/download$/, { kind: 'status', status: 500 }),
      /refused with HTTP 500/,
    ],
    ['the download is cut', (faults) => faults.download({ kind: 'cut', bytes: 3 }), /broke off|did not answer/],
    ['the download is short', (faults) => faults.download({ kind: 'short', bytes: 3 }), /3/],
    [
      'the download is on another host',
      (faults) => faults.download({ kind: 'url', url: 'https://evil.example/v1/downloads/x' }),
      /host|elsewhere|refused/,
    ],
    ['the download is on this machine', (faults) => faults.download({ kind: 'url', url: 'file:///etc/passwd' }), /./],
    ['the link is dead', (faults) => faults.endpoint(/get \/v1\/downloads/, { kind: 'status', status: 404 }), /404/],
  ];
  it.each(cases)('%s', async (_, arrange, words) => {
    const { it, run } = await prepared();
    arrange(it.simulator.faults);
    await expect(run()).rejects.toThrow(words);
    await nothingLeft(it);
  });

  it('a checkpoint that is no longer in the journal is refused in the appliance’s words', async () => {
    const { it, run } = await prepared();
    it.world.resync('app');
    await expect(run()).rejects.toThrow(/does not exist in the journal/);
    await nothingLeft(it);
  });

  it('file level restore that is blocked is refused in the appliance’s words', async () => {
    const { it, run } = await prepared();
    it.world.blockFlr('app', 'The VPG is being moved');
    await expect(run()).rejects.toThrow(/being moved/);
    await nothingLeft(it);
  });
});

describe('a listing that lacks entries and does not say so', () => {
  it('once, at any step, is completed', async () => {
    const { it, run } = await prepared();
    for (let after = 0; after < 10; after += 1) {
      it.simulator.faults.clear();
      it.simulator.faults.browse({ kind: 'partial', items: 0 }, { times: 1, after });
      expect(await run(), `after ${after}`).toMatchObject({ kind: 'file', bytes: Buffer.from('as it was') });
    }
    await nothingLeft(it);
  });

  it('each time leads to nothing, and to no other file', async () => {
    const { it, run } = await prepared();
    it.world.write('app01', '/etc/other', 'not this');
    it.simulator.faults.browse({ kind: 'partial', items: 0 }, { times: Number.POSITIVE_INFINITY });
    expect(await run()).toMatchObject({ kind: 'not_found', maybe: [] });
    await nothingLeft(it);
  });
});

describe('faults that pass', () => {
  it('an archive in place of the file is opened', async () => {
    const { it, run } = await prepared();
    it.simulator.faults.download({ kind: 'zip' });
    expect(await run()).toMatchObject({ kind: 'file', bytes: Buffer.from('as it was') });
    await nothingLeft(it);
  });

  it('a failed look at the mount is no failed mount', async () => {
    const { it, run } = await prepared();
    it.simulator.faults.endpoint(/get \/v1\/flrs\/./, { kind: 'status', status: 500 }, { times: 2 });
    expect(await run()).toMatchObject({ kind: 'file' });
    await nothingLeft(it);
  });

  it('an unmount that is refused is asked for again', async () => {
    const { it, run } = await prepared();
    it.simulator.faults.unmount({ kind: 'refuse', status: 500, message: 'busy' }, { times: 3 });
    expect(await run()).toMatchObject({ kind: 'file' });
    await nothingLeft(it);
  });

  it('the unmount waits for running tasks, and goes on without them after half of the time', async () => {
    const { it } = await prepared();
    const started = Date.now();
    let first = 0;
    const busy: RecoveryClient = {
      ...bind(it),
      session: async (id, signal) => {
        const session = await it.client.session(id, signal);
        return session === undefined ? undefined : { ...session, runningTasks: 1 };
      },
      unmount: (id, signal) => {
        first ||= Date.now() - started;
        return it.client.unmount(id, signal);
      },
    };
    const { run } = { run: () => recoverWith(it, busy) };
    expect(await run()).toMatchObject({ kind: 'file' });
    expect(first).toBeGreaterThan(400);
    await nothingLeft(it);
  });

  it('an empty answer for a folder is not taken for a place where another volume is mounted', async () => {
    const it = await lab();
    it.world.write('db01', '/etc/app.conf', 'right');
    it.world.write('db01', '/var/app.conf', 'wrong');
    const point = it.pin('db');
    let looks = 0;
    const forgetful: RecoveryClient = {
      ...bind(it),
      browse: async (session, path, page, signal) => {
        const answer = await it.client.browse(session, path, page, signal);
        if (path !== 'Volume1-Ext4/etc') return answer;
        looks += 1;
        return looks > 4 ? answer : { items: [] };
      },
    };
    const request = {
      ...point,
      vmIdentifier: it.vmId('db01'),
      recoverySite: it.site,
      maxBytes: 99,
      path: '/etc/app.conf',
    };
    const result = await recoverFile(forgetful, request, it.tools, new AbortController().signal);
    expect(result.kind === 'file' ? result.bytes.toString() : result.kind).not.toBe('wrong');
  });
});

describe('an unmount that does not come about', () => {
  it('gives the content, keeps the mount in the journal and warns', async () => {
    const { it, run } = await prepared();
    it.simulator.faults.unmount({ kind: 'hang' });
    expect(await run()).toMatchObject({ kind: 'file' });
    expect(it.world.sessions).toHaveLength(1);
    expect(await it.tools.mounts.list()).toMatchObject([{ session: it.world.sessions[0]?.flrSessionIdentifier }]);
    expect(it.tools.active.size).toBe(0);
    expect(it.warnings).toHaveLength(1);
  });
});

describe('a cancelled recovery leaves no mount', () => {
  const steps = ['localSite', 'sessions', 'mount', 'session', 'browse', 'download', 'openDownload'] as const;
  for (const step of steps) {
    for (const when of ['before', 'after'] as const) {
      it(`${when} ${step}`, async () => {
        const { it, run } = await prepared();
        const controller = new AbortController();
        const cancel = (): void => controller.abort(new Error('the client went away'));
        const client = cancelling(bind(it), step, when, cancel);
        await expect(run(client, controller.signal)).rejects.toThrow('the client went away');
        await nothingLeft(it);
      });
    }
  }

  it('while bytes arrive', async () => {
    const { it, run } = await prepared();
    const controller = new AbortController();
    const client: RecoveryClient = {
      ...bind(it),
      openDownload: async (url, signal) => {
        const download = await it.client.openDownload(url, signal);
        download.stream.destroy();
        const stream = (async function* () {
          yield Buffer.from('as');
          controller.abort(new Error('the client went away'));
          signal.throwIfAborted();
        })();
        return { ...download, stream };
      },
    };
    await expect(run(client, controller.signal)).rejects.toThrow('the client went away');
    await nothingLeft(it);
  });

  it('before it began: nothing is asked of the appliance', async () => {
    const { it, run } = await prepared();
    await expect(run(it.client, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
    expect(it.simulator.requests.some(({ path }) => path.includes('/flrs'))).toBe(false);
  });
});

function recoverWith(it: Lab, client: RecoveryClient): Promise<unknown> {
  const vpg = it.world.vpg('app');
  const request = {
    vpgIdentifier: vpg.vpgIdentifier,
    checkpointIdentifier: String(vpg.journal.at(-1)?.id),
    vmIdentifier: it.vmId('app01'),
    recoverySite: it.site,
    maxBytes: 99,
    path: '/etc/app.conf',
  };
  return recoverFile(client, request, it.tools, new AbortController().signal);
}

function cancelling(
  client: RecoveryClient,
  step: keyof RecoveryClient,
  when: 'before' | 'after',
  cancel: () => void,
): RecoveryClient {
  const original = client[step] as (...args: readonly unknown[]) => Promise<unknown>;
  const replaced = async (...args: readonly unknown[]): Promise<unknown> => {
    if (when === 'before') cancel();
    const result = await original(...args);
    if (when === 'after') cancel();
    return result;
  };
  return { ...client, [step]: replaced };
}
