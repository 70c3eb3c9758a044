import { createHash } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { verifies } from '../e2e/requirements.js';
import { type Bench, bench } from './support.js';

async function ready(options: Parameters<typeof bench>[0] = {}): Promise<{ it: Bench; receipt: string }> {
  const it = await bench(options);
  it.world.write('app01', '/etc/app.conf', 'port=1\n');
  const { id } = it.receipt(['app01']);
  it.world.write('app01', '/etc/app.conf', 'broken');
  it.world.checkpoint('app');
  return { it, receipt: id };
}

function text(result: CallToolResult, part = 0): string {
  const found = result.content[part];
  return found?.type === 'text' ? found.text : '';
}

function mounts(it: Bench): number {
  return it.simulator.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/flrs')).length;
}

async function refused(it: Bench, args: unknown, words: RegExp): Promise<void> {
  const result = await it.call('zerto_recover_file', args);
  expect(result.isError).toBe(true);
  expect(text(result)).toMatch(words);
  expect(result.content).toHaveLength(1);
  await nothingLeft(it);
}

async function nothingLeft(it: Bench): Promise<void> {
  await expect.poll(() => it.world.sessions.length).toBe(0);
}

describe('content', () => {
  it('comes back after one question, as text with byte count and hash, and is said to be without owner, mode and ACL', async () => {
    const { it, receipt } = await ready();
    const result = await it.call('zerto_recover_file', { receipt, path: '/etc/app.conf' });
    const sha256 = createHash('sha256').update('port=1\n').digest('hex');
    expect(text(result, 1)).toBe('port=1\n');
    expect(text(result)).toContain(`7 bytes, SHA-256 ${sha256}`);
    expect(text(result)).toContain('Owner, mode and ACL are not restored');
    expect(result.structuredContent).toMatchObject({
      kind: 'file',
      path: '/etc/app.conf',
      volumePath: 'Volume1-Ext4/etc/app.conf',
      bytes: 7,
      sha256,
      encoding: 'utf-8',
      content: 'port=1\n',
      restored: { owner: false, mode: false, acl: false },
      receipt,
      checkpoint: { checkpointIdentifier: it.states[0]?.receipt.vms[0]?.vpgs[0]?.recoverFrom.checkpointIdentifier },
    });
    expect(it.questions).toHaveLength(1);
    await nothingLeft(it);
  });

  it('is never in the audit log: only bytes and hash, and who agreed', async () => {
    const { it, receipt } = await ready();
    await it.call('zerto_recover_file', { receipt, path: '/etc/app.conf' });
    expect(it.audit[0]).toMatchObject({
      name: 'zerto_recover_file',
      readOnly: false,
      outcome: {
        result: 'ok',
        answeredBy: 'client',
        recovered: { bytes: 7, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      },
    });
    expect(JSON.stringify(it.audit)).not.toContain('port=1');
  });

  it.each([
    ['with a BOM', Buffer.from('\ufeffx=1\r\n'), 'utf-8'],
    ['with a NUL', Buffer.from('a\0b'), 'base64'],
    ['in Latin-1', Buffer.from('caf\u00e9', 'latin1'), 'base64'],
    ['in UTF-16', Buffer.from('hello', 'utf16le'), 'base64'],
    ['with a surrogate half', Buffer.from([0xed, 0xa0, 0x80]), 'base64'],
    ['empty', Buffer.alloc(0), 'utf-8'],
  ] as const)('%s gives back the same bytes', async (_, bytes, encoding) => {
    const it = await bench();
    it.world.write('app01', '/f', bytes);
    const { id } = it.receipt(['app01']);
    const result = await it.call('zerto_recover_file', { receipt: id, path: '/f' });
    expect(result.structuredContent).toMatchObject({ encoding });
    const content = String(result.structuredContent?.['content']);
    expect(Buffer.from(content, encoding === 'utf-8' ? 'utf8' : 'base64').equals(bytes)).toBe(true);
    expect(text(result, 1)).toBe(content);
  });

  it('of a folder is a listing in pages', async () => {
    const { it, receipt } = await ready();
    const result = await it.call('zerto_recover_file', { receipt, path: '/etc' });
    expect(result.structuredContent).toMatchObject({
      kind: 'folder',
      page: 1,
      more: false,
      entries: [{ name: 'app.conf', type: 'file', size: 7 }],
    });
    expect((await it.call('zerto_recover_file', { receipt, path: '/etc', page: 2 })).structuredContent).toMatchObject({
      entries: [],
      page: 2,
    });
    expect(it.questions).toHaveLength(2);
  });

  it('of the tag is had with from', async () => {
    const it = await bench();
    it.world.write('app01', '/f', 'at both');
    const { vms } = it.receipt(['app01']);
    const { id } = it.states[0]?.receipt ?? { id: '' };
    const result = await it.call('zerto_recover_file', { receipt: id, path: '/f', from: 'tag' });
    expect(result.structuredContent).toMatchObject({
      checkpoint: { checkpointIdentifier: vms[0]?.vpgs[0]?.tag.checkpointIdentifier },
    });
  });

  it('over the limit names the ladder', async () => {
    const it = await bench({ recovery: { maxRecoverBytes: 10 } });
    it.world.write('app01', '/f', '12345678901');
    const { id } = it.receipt(['app01']);
    await refused(
      it,
      { receipt: id, path: '/f' },
      /11 bytes, more than the 10.*zerto-rewind-proxy recover --receipt \w+ --vm app01 --path \/f.*test failover of VPG "app" at checkpoint \d+.*restores "app01" .*Loses everything that "app01" wrote in the last \d+ min/s,
    );
  });

  it('that looks like a secret is withheld after all', async () => {
    const it = await bench();
    it.world.write('app01', '/srv/notes', 'x\n-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n');
    it.world.write('app01', '/srv/copy', 'root:$6$abc$defghijklmnop:19000:0:99999:7:::\n');
    it.world.write('app01', '/srv/utf16', Buffer.from('\ufeff-----BEGIN PRIVATE KEY-----', 'utf16le'));
    it.world.write('app01', '/srv/hive', Buffer.concat([Buffer.from('regf'), Buffer.alloc(60)]));
    it.world.write('app01', '/srv/passwd', 'root:x:0:0:root:/root:/bin/bash\n');
    const { id } = it.receipt(['app01']);
    for (const [path, words] of [
      ['/srv/notes', /a private key/],
      ['/srv/copy', /a shadow file/],
      ['/srv/utf16', /a private key/],
      ['/srv/hive', /registry hive/],
    ] as const) {
      await refused(it, { receipt: id, path }, words);
    }
    expect((await it.call('zerto_recover_file', { receipt: id, path: '/srv/passwd' })).isError).toBeUndefined();
  });
});

describe('a preview', () => {
  it('where nobody can be asked in the client tells size and age, and reads nothing', async () => {
    const { it, receipt } = await ready();
    it.reply = 'unavailable';
    const result = await it.call('zerto_recover_file', { receipt, path: '/etc/app.conf', preview: true });
    expect(result.structuredContent).toMatchObject({
      kind: 'preview',
      type: 'file',
      size: 7,
      fits: true,
      minutesLost: expect.any(Number),
    });
    expect(JSON.stringify(result)).not.toMatch(/port=1|sha256/);
    expect(text(result)).toContain('No content was read');
    expect(it.simulator.requests.some(({ path }) => path.includes('download'))).toBe(false);
    await nothingLeft(it);
  });

  it('after a yes tells hash, and how it differs from the newest checkpoint', async () => {
    const { it, receipt } = await ready();
    const result = await it.call('zerto_recover_file', { receipt, path: '/etc/app.conf', preview: true });
    const newest = String(it.world.vpg('app').journal.at(-1)?.id);
    const sha256 = createHash('sha256').update('port=1\n').digest('hex');
    expect(result.structuredContent).toMatchObject({
      kind: 'preview',
      size: 7,
      sha256,
      comparison: {
        kind: 'differs',
        newest: { checkpointIdentifier: newest },
        size: 6,
        sha256: createHash('sha256').update('broken').digest('hex'),
      },
      diff: expect.stringMatching(/^--- .*\n\+\+\+ .*\n@@ -1,?1? \+1,?1? @@\n-port=1\n\+broken\n/),
    });
    expect(text(result, 1)).toBe((result.structuredContent as { diff: string }).diff);
    expect(text(result)).toMatch(/lacks the changes of the last \d+ min/);
    expect(it.questions).toHaveLength(1);
    expect(it.questions[0]?.message).toContain('the lines that differ from the newest checkpoint go to the model');
    expect(it.audit[0]?.outcome).toMatchObject({ recovered: { bytes: 7, sha256 }, answeredBy: 'client' });
    expect(JSON.stringify(it.audit)).not.toContain('port=1');
    await nothingLeft(it);
  });

  it('after a no nothing is mounted', async () => {
    const { it, receipt } = await ready();
    it.reply = 'no';
    await refused(it, { receipt, path: '/etc/app.conf', preview: true }, /did not agree.*Nothing was read/s);
    expect(mounts(it)).toBe(0);
  });

  it('tells what is the same, what is gone, what is no text and what is a folder', async () => {
    const it = await bench();
    it.world.write('app01', '/d/same', 'x');
    it.world.write('app01', '/d/gone', 'x');
    it.world.write('app01', '/d/binary', Buffer.from([0, 1, 2]));
    it.world.write('app01', '/d/wide', Buffer.from('\ufeffa\r\n', 'utf16le'));
    const { id } = it.receipt(['app01']);
    it.world.remove('app01', '/d/gone');
    it.world.write('app01', '/d/binary', Buffer.from([0, 1, 3]));
    it.world.write('app01', '/d/wide', Buffer.from('\ufeffb\r\n', 'utf16le'));
    it.world.checkpoint('app');
    const preview = async (path: string) =>
      (await it.call('zerto_recover_file', { receipt: id, path, preview: true })).structuredContent;
    expect(await preview('/d/same')).toMatchObject({ comparison: { kind: 'same' } });
    expect(await preview('/d/gone')).toMatchObject({ comparison: { kind: 'gone' } });
    expect(await preview('/d/binary')).toMatchObject({ comparison: { kind: 'differs', why: 'it is no text' } });
    expect(await preview('/d/wide')).toMatchObject({ diff: expect.stringContaining('-\ufeffa\r\n+\ufeffb\r\n') });
    expect(await preview('/d')).toMatchObject({ kind: 'preview', type: 'folder' });
  });

  it('withholds a secret of either copy, and a comparison that fails takes nothing away', async () => {
    const it = await bench();
    it.world.write('app01', '/srv/notes', 'harmless\n');
    const { id } = it.receipt(['app01']);
    it.world.write('app01', '/srv/notes', '-----BEGIN PRIVATE KEY-----\nAAAA\n');
    it.world.checkpoint('app');
    await refused(it, { receipt: id, path: '/srv/notes', preview: true }, /newest copy looks like a private key/);
    it.simulator.faults.mount({ kind: 'fail' }, { after: 1 });
    const result = await it.call('zerto_recover_file', { receipt: id, path: '/srv/notes', preview: true });
    expect(result.structuredContent).toMatchObject({ size: 9, comparison: { kind: 'unknown' } });
    await nothingLeft(it);
  });

  it('withholds a secret that only the old copy holds', async () => {
    const it = await bench();
    it.world.write('app01', '/srv/notes', '-----BEGIN PRIVATE KEY-----\nAAAA\n');
    const { id } = it.receipt(['app01']);
    it.world.write('app01', '/srv/notes', 'harmless\n');
    it.world.checkpoint('app');
    await refused(it, { receipt: id, path: '/srv/notes', preview: true }, /its content looks like a private key/);
  });

  it('of a large file names the ladder', async () => {
    const it = await bench({ recovery: { maxRecoverBytes: 10 } });
    it.world.write('app01', '/f', '12345678901');
    const { id } = it.receipt(['app01']);
    const result = await it.call('zerto_recover_file', { receipt: id, path: '/f', preview: true });
    expect(result.structuredContent).toMatchObject({
      fits: false,
      size: 11,
      ladder: [{ step: 'recover' }, { step: 'test_failover' }, { step: 'restore_vm' }],
    });
  });
});

describe('a file of a database', () => {
  it.each([
    ['app01', '/var/lib/mysql/app/orders.ibd', /a database of MySQL/],
    ['app01', '/srv/app.db-wal', /a write-ahead log/],
    ['win01', 'D:\\MSSQL\\sales.mdf', /a database of SQL Server/],
  ] as const)('%s %s: the ladder, without question or mount', async (vm, path, words) => {
    const it = await bench();
    const { id } = it.receipt([vm]);
    await refused(it, { receipt: id, path }, words);
    const result = await it.call('zerto_recover_file', { receipt: id, path });
    const vpg = vm === 'app01' ? 'app' : 'win';
    expect(result.structuredContent).toMatchObject({
      error: { code: 'APPROVAL_DENIED' },
      ladder: [
        { step: 'test_failover', how: expect.stringContaining(`VPG "${vpg}" at checkpoint`) },
        { step: 'restore_vm', how: expect.stringContaining(it.vmId(vm)), loses: expect.stringMatching(/last \d+ min/) },
      ],
    });
    expect(JSON.stringify(result)).not.toContain('WARNING');
    expect(it.questions).toEqual([]);
    expect(mounts(it)).toBe(0);
  });

  it('a domain’s directory comes with its warning, and a failover for production is never named', async () => {
    const it = await bench();
    const { id } = it.receipt(['win01']);
    const result = await it.call('zerto_recover_file', { receipt: id, path: 'C:\\Windows\\NTDS\\ntds.dit' });
    expect(result.isError).toBe(true);
    expect(text(result)).toMatch(/a domain’s directory.*WARNING: This VM keeps a domain’s directory/s);
    expect(text(result)).not.toMatch(/failover live|live failover/i);
    expect(mounts(it)).toBe(0);
    const allowed = await bench({ recovery: { allowPaths: ['*.mdf'] } });
    allowed.world.write('win01', 'D:\\x.mdf', 'x');
    const receipt = allowed.receipt(['win01']).id;
    expect((await allowed.call('zerto_recover_file', { receipt, path: 'D:\\x.mdf' })).isError).toBeUndefined();
  });
});

describe('the human', () => {
  it('sees VM, path, checkpoint, its time, what it lacks, and where the content goes', async () => {
    const { it, receipt } = await ready({ deps: { now: () => new Date(Date.now() + 11.5 * 60_000) } });
    await it.call('zerto_recover_file', { receipt, path: '/etc/app.conf' });
    const point = it.states[0]?.receipt.vms[0]?.vpgs[0]?.recoverFrom;
    const message = it.questions[0]?.message ?? '';
    for (const part of [
      '"app01"',
      '"app"',
      '"/etc/app.conf"',
      point?.checkpointIdentifier ?? '?',
      '12 minutes',
      'goes to the model',
    ]) {
      expect(message).toContain(part);
    }
  });

  it.each([
    ['no', /did not agree/],
    ['cancel', /did not agree/],
    ['unavailable', /A human must confirm this, and this client cannot ask one.*Nothing was recovered/s],
  ] as const)('%s: nothing is mounted', async (reply, words) => {
    const { it, receipt } = await ready();
    it.reply = reply;
    await refused(it, { receipt, path: '/etc/app.conf' }, words);
    expect(mounts(it)).toBe(0);
    expect(it.audit[0]?.outcome).toMatchObject({ result: 'error', code: 'APPROVAL_DENIED' });
  });

  it('is not replaced by confirmed, except under confirm "flag"', async () => {
    const { it, receipt } = await ready();
    it.reply = 'unavailable';
    await refused(it, { receipt, path: '/etc/app.conf', confirmed: true }, /no argument/);
    const flag = await ready({ recovery: { confirm: 'flag' } });
    flag.it.reply = 'unavailable';
    await refused(flag.it, { receipt: flag.receipt, path: '/etc/app.conf' }, /say confirmed: true/);
    await refused(flag.it, { receipt: flag.receipt, path: '/etc/app.conf', confirmed: false }, /say confirmed: true/);
    const result = await flag.it.call('zerto_recover_file', {
      receipt: flag.receipt,
      path: '/etc/app.conf',
      confirmed: true,
    });
    expect(text(result, 1)).toBe('port=1\n');
    expect(flag.it.audit.at(-1)?.outcome).toMatchObject({ answeredBy: expect.stringContaining('flag') });
  });
});

describe('a path that cannot be looked up', () => {
  it.each([
    '/a\0b',
    '/etc/../etc/app.conf',
    'C:\\PROGRA~1\\x',
    'C:\\f.txt:s',
    'C:\\*.txt',
    '\\\\server\\share\\x',
    `/${'a'.repeat(300)}`,
  ])('%s: nobody is asked', async (path) => {
    const { it, receipt } = await ready();
    await refused(it, { receipt, path }, /INVALID_ARGUMENTS.*(cannot be looked up|argument "path")/);
    expect(it.questions).toEqual([]);
    expect(mounts(it)).toBe(0);
  });
});

describe(`${verifies('N-5')} denied paths`, () => {
  it.each([
    '/etc/shadow',
    '/etc/./SHADOW',
    '/proc/self/root/etc/shadow',
    '/root/.ssh/id_ed25519',
    'C:\\Windows\\System32\\config\\SAM',
  ])('%s: nobody is asked, nothing is mounted', async (path) => {
    const { it, receipt } = await ready();
    await refused(it, { receipt, path }, /not given to a model/);
    expect(it.questions).toEqual([]);
    expect(mounts(it)).toBe(0);
  });

  it('go before everything else, and are the operator’s to change', async () => {
    const it = await bench({ recovery: { denyPaths: ['/srv/**'], allowPaths: ['/opt/tls/server.key'] } });
    const key = '-----BEGIN PRIVATE KEY-----';
    it.world.write('app01', '/opt/tls/server.key', key);
    const { id } = it.receipt(['app01']);
    await refused(it, { receipt: 'no-such', path: '/srv/x' }, /denyPaths/);
    expect(text(await it.call('zerto_recover_file', { receipt: id, path: '/opt/tls/server.key' }), 1)).toBe(key);
  });

  it('are judged again by the name that was found', async () => {
    const it = await bench({ recovery: { denyPaths: ['C:\\Data\\Gehälter\\**'] } });
    it.world.write('win01', 'C:\\Data\\GEHÄLTER\\x.txt', 'x');
    const { id } = it.receipt(['win01']);
    await refused(it, { receipt: id, path: 'c:/data/gehÄlter/X.TXT' }, /denyPaths/);
  });
});

describe(`${verifies('N-6')} the scope`, () => {
  it('receipts: a receipt of a call that was forwarded', async () => {
    const { it } = await ready();
    const path = '/etc/app.conf';
    await refused(it, { receipt: 'rcp_none', path }, /There is no receipt/);
    await refused(it, { receipt: it.receipt(['app01'], {}, 'not_sent').id, path }, /never forwarded/);
    await refused(it, { receipt: it.receipt(['app01'], {}, 'pinned').id, path }, /not over/);
    await refused(
      it,
      { receipt: it.receipt(['app01'], { tool: 'zerto_create_tagged_checkpoint' }).id, path },
      /not to a call that was forwarded/,
    );
    await refused(it, { receipt: it.receipt([], { permit: 'waived' }).id, path }, /has no checkpoint/);
    expect(it.questions).toEqual([]);
    expect(mounts(it)).toBe(0);
    expect(
      (await it.call('zerto_recover_file', { receipt: it.receipt(['app01'], {}, 'outcome_unknown').id, path })).isError,
    ).toBeUndefined();
  });

  it('receipts: vm and checkpoint only for a VM that a forwarded call may have changed', async () => {
    const it = await bench();
    it.world.write('app01', '/f', 'x');
    it.world.checkpoint('app');
    const checkpoint = String(it.world.vpg('app').journal.at(-1)?.id);
    await refused(it, { vm: 'app01', checkpoint, path: '/f' }, /No call that was forwarded/);
    it.receipt(['app01'], { tool: 'zerto_guard_before_mutate' });
    it.receipt(['app01'], {}, 'not_sent');
    await refused(it, { vm: 'app01', checkpoint, path: '/f' }, /No call that was forwarded/);
    it.receipt(['app01']);
    expect(text(await it.call('zerto_recover_file', { vm: 'app01', checkpoint, path: '/f' }), 1)).toBe('x');
    await refused(it, { vm: 'app01', checkpoint: '999999', path: '/f' }, /not in the journal/);
    await refused(it, { vm: 'app01', checkpoint, path: '/f', from: 'tag' }, /together with receipt/);
  });

  it('targets: what the wrapped servers reach; all: every VM', async () => {
    const targets = await bench({ recovery: { scope: 'targets' } });
    for (const vm of ['app01', 'hr01']) targets.world.write(vm, '/f', vm);
    for (const vpg of ['app', 'hr']) targets.world.checkpoint(vpg);
    const point = (it: Bench, vpg: string) => String(it.world.vpg(vpg).journal.at(-1)?.id);
    expect(
      (await targets.call('zerto_recover_file', { vm: 'app01', checkpoint: point(targets, 'app'), path: '/f' }))
        .isError,
    ).toBeUndefined();
    await refused(targets, { vm: 'hr01', checkpoint: point(targets, 'hr'), path: '/f' }, /No wrapped server reaches/);
    await refused(targets, { receipt: targets.receipt(['hr01']).id, path: '/f' }, /No wrapped server reaches/);
    const all = await bench({ recovery: { scope: 'all' } });
    all.world.write('hr01', '/f', 'hr');
    all.world.checkpoint('hr');
    expect(
      text(await all.call('zerto_recover_file', { vm: 'hr01', checkpoint: point(all, 'hr'), path: '/f' }), 1),
    ).toBe('hr');
  });
});

describe('VPGs and VMs', () => {
  it('the newest point that can be mounted is taken; another VPG by name', async () => {
    const it = await bench({
      world: {
        vpgs: [
          { name: 'one', vms: ['app01'] },
          { name: 'two', vms: ['app01'] },
        ],
      },
    });
    it.world.write('app01', '/f', 'x');
    const { id, vms } = it.receipt(['app01']);
    const state = it.states[0];
    if (state === undefined) throw new Error('no receipt');
    const back = (timestamp: string) => new Date(Date.parse(timestamp) - 60_000).toISOString();
    const aged = vms.map((vm) => ({
      ...vm,
      vpgs: vm.vpgs.map((vpg) =>
        vpg.name === 'one'
          ? { ...vpg, recoverFrom: { ...vpg.recoverFrom, timestamp: back(vpg.recoverFrom.timestamp) } }
          : vpg,
      ),
    }));
    it.states.splice(0, 1, { ...state, receipt: { ...state.receipt, vms: aged } });
    const recovered = async () =>
      (await it.call('zerto_recover_file', { receipt: id, path: '/f' })).structuredContent as { vpg?: unknown };
    expect(await recovered()).toMatchObject({ vpg: { name: 'two' } });
    it.world.blockFlr('two', 'it is being moved');
    it.states.splice(0, 1, state);
    expect(await recovered()).toMatchObject({ vpg: { name: 'one' } });
    it.world.blockFlr('one', 'so is this');
    await refused(it, { receipt: id, path: '/f' }, /"two": it is being moved|"one": so is this/);
    expect(it.questions).toHaveLength(2);
  });

  it('a checkpoint that exactly one VPG lists needs no VPG', async () => {
    const it = await bench();
    it.world.write('db01', '/f', 'x');
    it.receipt(['db01']);
    const checkpoint = String(it.world.vpg('db-local').journal.at(-1)?.id);
    expect(
      (await it.call('zerto_recover_file', { vm: 'db01', checkpoint, path: '/f' })).structuredContent,
    ).toMatchObject({ vpg: { name: 'db-local' } });
  });

  it('one whose recovery site is not configured is passed over; one by name', async () => {
    const it = await bench();
    it.world.write('db01', '/f', 'x');
    const { id } = it.receipt(['db01']);
    expect((await it.call('zerto_recover_file', { receipt: id, path: '/f' })).structuredContent).toMatchObject({
      vpg: { name: 'db-local' },
    });
    await refused(it, { receipt: id, path: '/f', vpg: 'db-remote' }, /recovery site.*not configured/);
    await refused(it, { receipt: id, path: '/f', vpg: 'hr' }, /not exactly one of the VPGs/);
    await refused(it, { vm: 'db01', checkpoint: '1', path: '/f' }, /several VPGs.*db-remote.*db-local/);
  });

  it('a receipt of several VMs wants one of them', async () => {
    const it = await bench();
    for (const vm of ['app01', 'win01']) it.world.write(vm, '/f', vm);
    const { id } = it.receipt(['app01', 'win01']);
    await refused(it, { receipt: id, path: '/f' }, /several VMs: "app01", "win01"/);
    await refused(it, { receipt: id, path: '/f', vm: 'hr01' }, /not exactly one VM/);
    expect(text(await it.call('zerto_recover_file', { receipt: id, path: '/f', vm: 'app01' }), 1)).toBe('app01');
    expect(text(await it.call('zerto_recover_file', { receipt: id, path: 'C:\\f', vm: it.vmId('win01') }), 1)).toBe(
      'win01',
    );
  });

  it('a checkpoint that is gone stops before anybody is asked', async () => {
    const { it, receipt } = await ready();
    it.world.resync('app', 60_000);
    await refused(it, { receipt, path: '/etc/app.conf' }, /the receipt is lost/);
    expect(it.questions).toEqual([]);
  });

  it('a path that is not there says where it was looked for', async () => {
    const { it, receipt } = await ready();
    await refused(it, { receipt, path: '/etc/other.conf' }, /not in the checkpoint.*"Volume1-Ext4"/);
  });
});

describe('trouble', () => {
  it.each([
    ['mount', (it: Bench) => it.simulator.faults.mount({ kind: 'fail' })],
    ['lost mount', (it: Bench) => it.simulator.faults.mount({ kind: 'drop_answer' })],
    ['cut download', (it: Bench) => it.simulator.faults.download({ kind: 'cut', bytes: 2 })],
    ['short download', (it: Bench) => it.simulator.faults.download({ kind: 'short', bytes: 2 })],
    ['foreign host', (it: Bench) => it.simulator.faults.download({ kind: 'url', url: 'https://evil.example/x' })],
  ])('%s: an error, no content, no mount', async (_, arrange) => {
    const { it, receipt } = await ready();
    arrange(it);
    await refused(it, { receipt, path: '/etc/app.conf' }, /^ZVM_(REJECTED|UNREACHABLE)/);
  });

  it('a call that is cancelled leaves no mount', async () => {
    const { it, receipt } = await ready();
    it.simulator.knobs.mountMs = 400;
    const controller = new AbortController();
    const over = it.call('zerto_recover_file', { receipt, path: '/etc/app.conf' }, controller.signal);
    await expect.poll(() => it.world.sessions.length).toBe(1);
    controller.abort();
    expect(text(await over)).toContain('CALL_CANCELLED');
    expect(it.world.sessions).toEqual([]);
  });

  it('closing the tools ends what runs, mounts included', async () => {
    const { it, receipt } = await ready();
    it.simulator.knobs.mountMs = 400;
    const over = it.call('zerto_recover_file', { receipt, path: '/etc/app.conf' });
    await expect.poll(() => it.world.sessions.length).toBe(1);
    await it.native.close();
    expect((await over).isError).toBe(true);
    expect(it.world.sessions).toEqual([]);
  });
});
