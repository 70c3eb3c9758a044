import { inflateRawSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { closeAll, mounted, withFiles } from './harness.js';

afterEach(closeAll);

describe('download', () => {
  test('the bytes of the checkpoint, by a relative link that needs the token', async () => {
    const at = await withFiles();
    const session = await mounted(at, 'app01', 'app', at.newest('app'));
    at.world.write('app01', '/etc/hosts', 'new hosts');
    await at.clock.advance(5_000);
    const link = await at.client.post(`/v1/flrs/${session}/download`, { pathList: ['Volume1-Ext4/etc/hosts'] });
    expect(link.bytes.toString()).toMatch(/^"v1\/downloads\/[0-9a-f-]{36}\.[0-9a-f-]{36}"$/);
    const file = await at.client.get(`/${link.json}`);
    expect(file.bytes.toString()).toBe('old hosts\n');
    expect(file.headers['content-disposition']).toContain('hosts');
    expect((await at.client.raw('GET', `/${link.json}`)).status).toBe(401);
    expect(at.world.sessions[0]?.runningTasks).toBe(0);
    const empty = (await at.client.post(`/v1/flrs/${session}/download`, { pathList: ['Volume1-Ext4/empty'] })).json;
    expect(await at.client.get(`/${empty}`)).toMatchObject({ status: 200, headers: { 'content-length': '0' } });
  });

  test('a folder comes as a zip; links are refused', async () => {
    const at = await withFiles();
    const session = await mounted(at, 'app01', 'app', at.newest('app'));
    const link = (await at.client.post(`/v1/flrs/${session}/download`, { pathList: ['Volume1-Ext4/etc'] })).json;
    const { bytes } = await at.client.get(`/${link}`);
    expect(unzip(bytes)).toEqual({ 'etc/hosts': 'old hosts\n', 'etc/cron.d/job': '* * * * *' });
    for (const pathList of [['Volume1-Ext4/etc/localtime'], [], ['Volume1-Ext4/none'], 'Volume1-Ext4/etc']) {
      expect((await at.client.post(`/v1/flrs/${session}/download`, { pathList })).status).toBeGreaterThanOrEqual(400);
    }
  });

  test('knobs: once, and absolute', async () => {
    const at = await withFiles({ knobs: { tokenSeconds: 100_000, downloadOnce: true, downloadUrl: 'absolute' } });
    const session = await mounted(at, 'app01', 'app', at.newest('app'));
    const link = (await at.client.post(`/v1/flrs/${session}/download`, { pathList: ['Volume1-Ext4/etc/hosts'] })).json;
    expect(link.startsWith(`${at.simulator.url}/v1/downloads/`)).toBe(true);
    expect((await at.client.get(link)).status).toBe(200);
    expect((await at.client.get(link)).status).toBe(404);
  });
});

describe('unmount', () => {
  test('in progress, then gone; tasks and events tell of both', async () => {
    const at = await withFiles();
    const { client, clock } = at;
    const session = await mounted(at, 'app01', 'app', at.newest('app'));
    const link = (await client.post(`/v1/flrs/${session}/download`, { pathList: ['Volume1-Ext4/etc/hosts'] })).json;
    const task = (await client.del(`/v1/flrs/${session}`)).json;
    expect((await client.get(`/v1/flrs/${session}`)).json.FlrSessionStatus).toBe('UnmountInProgress');
    expect((await client.get(`/${link}`)).status).toBe(404);
    expect((await client.del(`/v1/flrs/${session}`)).status).toBe(409);
    await clock.advance(500);
    expect((await client.get(`/v1/flrs/${session}`)).status).toBe(404);
    expect((await client.get('/v1/flrs')).json).toEqual([]);
    expect((await client.get(`/v1/tasks/${task}`)).json).toMatchObject({
      Type: 'FlrJournalUnmount',
      Status: { State: 6, Progress: 100 },
      RelatedEntities: { FlrSessions: [{ identifier: session }] },
    });
    expect((await client.get('/v1/events')).json).toMatchObject([
      {
        EventType: 58,
        EventCompletedSuccessfully: true,
        UserName: 'rewind',
        RelatedEntities: { FlrSessions: [{ identifier: session }] },
      },
      { EventType: 59 },
    ]);
  });
});

function unzip(bytes: Buffer): Record<string, string> {
  const files: Record<string, string> = {};
  let at = 0;
  while (bytes.readUInt32LE(at) === 0x04034b50) {
    const [packed, label, extra] = [
      bytes.readUInt32LE(at + 18),
      bytes.readUInt16LE(at + 26),
      bytes.readUInt16LE(at + 28),
    ];
    const start = at + 30 + label + extra;
    files[bytes.toString('utf8', at + 30, at + 30 + label)] = inflateRawSync(
      bytes.subarray(start, start + packed),
    ).toString();
    at = start + packed;
  }
  return files;
}
