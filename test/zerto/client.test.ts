import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProxyError } from '../../src/domain/errors.js';
import type { ZvmClient, ZvmClientOptions } from '../../src/zerto/client.js';
import { SiteHttp } from '../../src/zerto/http.js';
import { route } from '../../src/zerto/paths.js';
import { clientOf, type FakeZvm, fakeZvm, type Got, json, never } from './fake-zvm.js';

let zvm: FakeZvm;
let client: ZvmClient;

beforeEach(async () => {
  zvm = await fakeZvm();
  start();
});
afterEach(async () => {
  await client.close();
  await zvm.close();
});

function start(options: Partial<ZvmClientOptions> = {}): void {
  client = clientOf(zvm, options);
}

function answer(key: string, reply: (got: Got, response: ServerResponse, count: number) => void): void {
  let count = 0;
  zvm.routes.set(key, (got: Got, response: ServerResponse) => {
    count += 1;
    reply(got, response, count);
  });
}

function calls(path: string): Got[] {
  return zvm.got.filter((got) => got.url.split('?')[0] === path);
}

async function failure(promise: Promise<unknown>): Promise<ProxyError> {
  const error = await promise.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(ProxyError);
  return error as ProxyError;
}

describe('requests', () => {
  it('sends nothing before the first call', async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(zvm.got).toHaveLength(0);
  });

  it('always bounds a list of checkpoints, with milliseconds and Z', async () => {
    zvm.routes.set('GET /v1/vpgs/g-1/checkpoints', []);
    await client.checkpoints('g-1', { since: new Date('2026-11-30T00:00:00Z') }, never);
    expect(calls('/v1/vpgs/g-1/checkpoints')[0]?.url).toContain('startDate=2026-11-30T00%3A00%3A00.000Z');
  });

  it('inserts a tag with a JSON body and reads the quoted task id', async () => {
    zvm.routes.set('POST /v1/vpgs/g-1/checkpoints', 'task.site');
    expect(await client.insertTag('g-1', 'ai:x | y', never)).toBe('task.site');
    expect(calls('/v1/vpgs/g-1/checkpoints')[0]).toMatchObject({ body: '{"checkpointName":"ai:x | y"}' });
  });

  it('mounts without any path of the caller', async () => {
    zvm.routes.set('POST /v1/flrs', 's.1');
    const what = { vpgIdentifier: 'g', vmIdentifier: 'v', checkpointIdentifier: '6', initialDownloadPath: '/etc' };
    expect(await client.mount(what, never)).toBe('s.1');
    expect(JSON.parse(calls('/v1/flrs')[0]?.body ?? '')).toEqual({
      jflr: { vpgIdentifier: 'g', vmIdentifier: 'v', checkpointIdentifier: '6' },
    });
  });

  it('reads one session from an object or a list, and its absence from 404 or an empty list', async () => {
    const session = { FlrSessionIdentifier: 's.1', FlrSessionStatus: 'MountReady' };
    for (const reply of [session, [session]]) {
      zvm.routes.set('GET /v1/flrs/s.1', reply);
      expect(await client.session('s.1', never)).toMatchObject({ status: 'MountReady' });
    }
    zvm.routes.set('GET /v1/flrs/s.1', []);
    expect(await client.session('s.1', never)).toBeUndefined();
    expect(await client.session('s.2', never)).toBeUndefined();
    zvm.routes.set('GET /v1/flrs/s.3', session);
    expect(await client.session('s.3', never)).toBeUndefined();
  });

  it('treats a session that is gone as unmounted', async () => {
    await expect(client.unmount('s.9', never)).resolves.toBeUndefined();
    answer('DELETE /v1/flrs/s.1', (_got, response) => json(response, 200, 'task'));
    await expect(client.unmount('s.1', never)).resolves.toBeUndefined();
    answer('DELETE /v1/flrs/s.2', (_got, response) => json(response, 409, { Message: 'busy' }));
    await expect(client.unmount('s.2', never)).rejects.toMatchObject({ code: 'ZVM_REJECTED' });
  });

  it.each(['', '.', '..', ' ', 'a\nb', '\u0000', 'x'.repeat(600)])('never sends the identifier %j', async (id) => {
    expect((await failure(Promise.resolve().then(() => client.unmount(id, never)))).code).toBe('ZVM_REJECTED');
    expect(zvm.got).toHaveLength(0);
  });

  it.each(['../../v1/vpgs/1/pause', 'a/b', 'a?b=c', 'a#b', '%2e%2e', 'ä'])(
    'sends the identifier %j as one segment',
    async (id) => {
      await client.unmount(id, never);
      const [got] = zvm.got.filter(({ method }) => method === 'DELETE');
      expect(got?.url).toBe(`/v1/flrs/${encodeURIComponent(id)}`);
    },
  );

  it('reads the VMs that nothing protects from every virtualization site', async () => {
    zvm.routes.set('GET /v1/virtualizationsites', [{ SiteIdentifier: 'a' }, { SiteIdentifier: 'b' }]);
    zvm.routes.set('GET /v1/virtualizationsites/a/vms', [{ VmIdentifier: '1', VmName: 'one' }]);
    zvm.routes.set('GET /v1/virtualizationsites/b/vms', []);
    expect(await client.unprotectedVms(never)).toEqual([
      { siteIdentifier: 'a', vmIdentifier: '1', vmName: 'one', addresses: [] },
    ]);
  });
});

describe('refusals', () => {
  it('tells the appliance’s own words in quotes, with control characters escaped', async () => {
    answer('GET /v1/localsite', (_got, response) => json(response, 400, { Message: 'bad "site"\u0007\u202e' }));
    const error = await failure(client.localSite(never));
    expect(error).toMatchObject({ code: 'ZVM_REJECTED', details: { status: 400, message: 'bad "site"\u0007\u202e' } });
    expect(error.message).toContain('"bad \\"site\\"\\u0007\\u202e"');
    expect(error.message).toContain('GET /v1/localsite');
    expect(error.message).not.toContain('localhost');
  });

  it.each([301, 302, 307])('follows no redirect (%i)', async (status) => {
    answer('GET /v1/localsite', (_got, response) => response.writeHead(status, { location: '/v1/elsewhere' }).end());
    expect(await failure(client.localSite(never))).toMatchObject({ code: 'ZVM_REJECTED', details: { status } });
    expect(calls('/v1/elsewhere')).toHaveLength(0);
  });

  it('repeats a read once after a 500, and an insert never', async () => {
    answer('GET /v1/localsite', (_got, response, count) =>
      count === 1 ? json(response, 500, {}) : json(response, 200, { SiteIdentifier: 'a' }),
    );
    expect(await client.localSite(never)).toMatchObject({ siteIdentifier: 'a' });
    answer('POST /v1/vpgs/g/checkpoints', (_got, response) => json(response, 500, {}));
    expect(await failure(client.insertTag('g', 'x', never))).toMatchObject({ code: 'ZVM_REJECTED' });
    expect(calls('/v1/vpgs/g/checkpoints')).toHaveLength(1);
  });

  it('rejects an answer above the limit', async () => {
    const tls = { kind: 'fingerprint', fingerprint256: zvm.fingerprint256 } as const;
    const http = new SiteHttp({ site: 'site-a', url: zvm.url, tls, maxBytes: 1000 });
    zvm.routes.set('GET /v1/vms', 'x'.repeat(998));
    const request = { method: 'GET', ...route`v1/vms` } as const;
    expect((await http.send(request, never)).text).toHaveLength(1000);
    zvm.routes.set('GET /v1/vms', 'x'.repeat(999));
    expect(await failure(http.send(request, never))).toMatchObject({
      code: 'ZVM_REJECTED',
      message: expect.stringContaining('more than 1000 bytes'),
    });
    await http.close();
  });
});

describe('no answer', () => {
  it('is ZVM_UNREACHABLE and surely not sent where nothing listens', async () => {
    await zvm.close();
    expect(await failure(client.localSite(never))).toMatchObject({ code: 'ZVM_UNREACHABLE', details: { sent: 'no' } });
  });

  it('may have been sent where the answer does not come in time', async () => {
    start({ timeoutMs: 100 });
    answer('GET /v1/localsite', () => undefined);
    const error = await failure(client.localSite(never));
    expect(error).toMatchObject({ code: 'ZVM_UNREACHABLE', details: { sent: 'maybe', reason: 'timeout' } });
    expect(calls('/v1/localsite')).toHaveLength(1);
  });

  it('covers a body that stops in the middle', async () => {
    start({ timeoutMs: 150 });
    answer('GET /v1/localsite', (_got, response) => void response.writeHead(200).write('{"Site'));
    expect(await failure(client.localSite(never))).toMatchObject({ code: 'ZVM_UNREACHABLE' });
  });

  it('covers a server that takes connections and says nothing', async () => {
    const mute = createServer(() => undefined);
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    const address = mute.address() as { port: number };
    const lonely = clientOf(zvm, { url: `https://127.0.0.1:${address.port}`, connectTimeoutMs: 200 });
    const error = await failure(lonely.localSite(never));
    expect(error).toMatchObject({ code: 'ZVM_UNREACHABLE', details: { sent: 'no' } });
    await lonely.close();
    mute.close();
  });

  it('repeats a read once on a broken connection, and an insert never', async () => {
    answer('GET /v1/localsite', (_got, response, count) => {
      if (count === 1) response.socket?.destroy();
      else json(response, 200, { SiteIdentifier: 'a' });
    });
    expect(await client.localSite(never)).toMatchObject({ siteIdentifier: 'a' });
    answer('POST /v1/vpgs/g/checkpoints', (_got, response) => response.socket?.destroy());
    const error = await failure(client.insertTag('g', 'x', never));
    expect(error).toMatchObject({ code: 'ZVM_UNREACHABLE', details: { sent: 'maybe' } });
    expect(calls('/v1/vpgs/g/checkpoints')).toHaveLength(1);
  });

  it('ends at once with the reason of the caller who cancels', async () => {
    answer('GET /v1/localsite', () => undefined);
    const controller = new AbortController();
    const pending = client.localSite(controller.signal);
    setTimeout(() => controller.abort(new Error('cancelled by the client')), 30);
    await expect(pending).rejects.toThrow('cancelled by the client');
    await expect(client.localSite(controller.signal)).rejects.toThrow('cancelled by the client');
  });
});

describe('downloads', () => {
  const serve = (headers: Record<string, string> = {}): void =>
    answer('GET /v1/downloads/s.1', (_got, response) => response.writeHead(200, headers).end('content'));

  it.each(['v1/downloads/s.1', '/v1/downloads/s.1', 'absolute'])('opens %s with the token', async (form) => {
    serve({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename=x',
      'content-length': '7',
    });
    const url = form === 'absolute' ? `${zvm.url}/v1/downloads/s.1` : form;
    const download = await client.openDownload(url, never);
    expect(download).toMatchObject({
      length: 7,
      contentType: 'application/octet-stream',
      disposition: 'attachment; filename=x',
    });
    expect(await readText(download.stream)).toBe('content');
    expect(calls('/v1/downloads/s.1')[0]?.headers.authorization).toBe('Bearer token-1');
  });

  it.each([
    'https://evil.example/v1/downloads/s.1',
    '//evil.example/x',
    'http://localhost/x',
    '\\\\evil.example\\x',
    'https://localhost@evil.example/x',
    'file:///etc/passwd',
    'javascript:1',
    'https://localhost:1/x',
    '/v1/../..//evil.example/x',
    'https://user:pw@localhost/x',
  ])('refuses %s before anything is sent', async (url) => {
    expect((await failure(client.openDownload(url, never))).code).toBe('ZVM_REJECTED');
    expect(zvm.got).toHaveLength(0);
  });

  it('refuses credentials even towards the own host', async () => {
    const url = zvm.url.replace('https://', 'https://u:p@');
    expect((await failure(client.openDownload(`${url}/v1/downloads/s.1`, never))).code).toBe('ZVM_REJECTED');
  });

  it('logs in anew on a 401 and tells other refusals', async () => {
    answer('GET /v1/downloads/s.1', (got, response) => {
      const fresh = got.headers.authorization === 'Bearer token-2';
      response.writeHead(fresh ? 200 : 401).end(fresh ? 'content' : '');
    });
    const download = await client.openDownload('v1/downloads/s.1', never);
    expect(await readText(download.stream)).toBe('content');
    expect(await failure(client.openDownload('v1/downloads/gone', never))).toMatchObject({ details: { status: 404 } });
  });

  it('refuses an encoding that nobody asked for', async () => {
    serve({ 'content-encoding': 'gzip' });
    expect((await failure(client.openDownload('v1/downloads/s.1', never))).code).toBe('ZVM_REJECTED');
  });

  it('ends the stream of a caller who cancels', async () => {
    answer('GET /v1/downloads/s.1', (_got, response) => void response.writeHead(200).write('start'));
    const controller = new AbortController();
    const { stream } = await client.openDownload('v1/downloads/s.1', controller.signal);
    const reading = readText(stream);
    controller.abort(new Error('enough'));
    await expect(reading).rejects.toThrow();
  });
});
