// Prints what the audit log costs: records per second with a sync for each group, verify beside sha256sum, look-ups in a large log. npm run bench:audit
// --records N for the look-ups (1000000), --mib N for verify (1024); both need as much room in the directory for temporary files. It
// takes two to five minutes. Where others use the machine only the ratios count: verify and sha256sum run in turn, the best of three each.
import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readCalls } from '../../dist/src/audit/calls.js';
import { findCall } from '../../dist/src/audit/find-call.js';
import { openAuditLog } from '../../dist/src/audit/log.js';
import { fileOf } from '../../dist/src/audit/names.js';
import { indexedPlaces } from '../../dist/src/audit/place-index.js';
import { openReceipts } from '../../dist/src/audit/receipts.js';
import { GENESIS, seal } from '../../dist/src/audit/record.js';
import { verify } from '../../dist/src/audit/verify.js';

const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '1000000' },
    mib: { type: 'string', default: '1024' },
    only: { type: 'string' },
    verify: { type: 'string' },
  },
});
const base = mkdtempSync(join(tmpdir(), 'bench-audit-'));
const state = join(base, 'state');

if (values.verify !== undefined) {
  const result = await verify(values.verify);
  console.log(JSON.stringify({ ok: result.ok, kib: process.resourceUsage().maxRSS }));
} else {
  try {
    if (values.only === undefined || values.only === 'write') await writes();
    if (values.only === undefined || values.only === 'verify') verifies();
    if (values.only === undefined || values.only === 'find') await lookUps();
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

async function writes() {
  const table = {};
  for (const writers of [1, 10, 100]) {
    const dir = join(base, `w${writers}`);
    const nothing = () => undefined;
    const audit = openAuditLog({
      dir,
      level: 'all',
      now: () => new Date(),
      log: { debug: nothing, info: nothing, warn: nothing, error: console.error },
      process: { version: 'bench', pid: process.pid, platform: process.platform },
      keeping: { keyFile: join(state, 'key') },
    });
    let records = 0;
    const from = performance.now();
    const until = from + 4000;
    await Promise.all(
      Array.from({ length: writers }, async (_, writer) => {
        for (let call = 0; performance.now() < until; call += 1) {
          const entry = await audit.open(judged(`call_${writer}_${call}`), { kind: 'forward', rule: 'bench' });
          await entry.close({ kind: 'forwarded', result: 'ok' });
          records += 2;
        }
      }),
    );
    const seconds = (performance.now() - from) / 1000;
    await audit.close();
    table[`${writers} writers`] = { 'records/s, each on disk': Math.round(records / seconds) };
  }
  console.table(table);
}

function judged(id) {
  return {
    call: {
      id,
      session: 's',
      agent: 'bench',
      server: { name: 'ssh' },
      tool: 'run',
      arguments: { command: 'systemctl restart nginx' },
      digest: 'd'.repeat(64),
      raw: new Uint8Array(),
    },
    reading: {
      interceptor: 'ssh',
      roles: { command: 'command' },
      operations: [],
      hosts: [{ value: 'app01', argument: 'host' }],
    },
    assessment: {
      effect: 'mutating',
      findings: [{ effect: 'mutating', subject: 'systemctl restart nginx', why: 'restarts a unit' }],
    },
    aim: { targets: [], problems: [] },
  };
}

/** A chain of calls, sealed as the log seals them, over files of 64 MiB or one. */
function generate(
  dir,
  { records = Number.POSITIVE_INFINITY, bytes = Number.POSITIVE_INFINITY, fileBytes = Number.POSITIVE_INFINITY },
) {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const chain = '20260101T000000Z-1-00000000000000aa';
  let head = { chain, seq: 0, hash: GENESIS };
  let [part, size, total, file] = [1, 0, 0, openSync(join(dir, fileOf(chain, 1)), 'w', 0o600)];
  let lines = [];
  const put = (body) => {
    const sealed = seal({ at: '2026-01-01T00:00:00.000Z', ...body }, head);
    head = sealed.head;
    lines.push(sealed.line);
    size += sealed.line.length;
    total += sealed.line.length;
  };
  const flush = () => {
    writeSync(file, Buffer.concat(lines));
    lines = [];
  };
  put({ kind: 'start', others: [] });
  const { reading: _r, aim: _a, call: _c, assessment, ...rest } = judged('');
  for (let call = 0; head.seq < records && total < bytes; call += 1) {
    const id = `call_${call}`;
    const receipt = {
      id: `r_${call}`,
      change: `c_${call}`,
      session: 's',
      agent: 'bench',
      server: 'ssh',
      tool: 'run',
      digest: 'd'.repeat(64),
      pinnedAt: '2026-01-01T00:00:00Z',
      permit: 'pinned',
      consistency: 'crash',
      covers: 'vm',
      vms: [],
    };
    put({
      ...rest,
      kind: 'intent',
      call: id,
      session: 's',
      agent: 'bench',
      server: 'ssh',
      tool: 'run',
      digest: 'd'.repeat(64),
      effect: 'mutating',
      arguments: { command: `systemctl restart nginx # ${'x'.repeat(call % 400)}` },
      findings: assessment.findings,
      decision: 'pin_then_forward',
      rule: 'mutating',
      hosts: ['app01'],
      targets: [],
      problems: [],
    });
    put({ kind: 'permit', call: id, receipt });
    put({ kind: 'outcome', call: id, outcome: 'forwarded', result: 'ok', receipt });
    if (lines.length > 1000) flush();
    if (size < fileBytes) continue;
    put({ kind: 'rotate', next: part + 1 });
    flush();
    closeSync(file);
    part += 1;
    file = openSync(join(dir, fileOf(chain, part)), 'w', 0o600);
    size = 0;
    put({ kind: 'start', part, others: [] });
  }
  put({ kind: 'end' });
  flush();
  closeSync(file);
  return { records: head.seq, bytes: total };
}

function verifies() {
  const dir = join(base, 'verify');
  const { records, bytes } = generate(dir, { bytes: Number(values.mib) * 1024 * 1024 });
  const [name] = readdirSync(dir);
  const timed = (run) => {
    const from = performance.now();
    const result = run();
    return { seconds: (performance.now() - from) / 1000, result };
  };
  execFileSync('sha256sum', [join(dir, name)]);
  const best = { sum: Number.POSITIVE_INFINITY, own: Number.POSITIVE_INFINITY };
  let told = {};
  for (let round = 0; round < 3; round += 1) {
    best.sum = Math.min(best.sum, timed(() => execFileSync('sha256sum', [join(dir, name)])).seconds);
    const own = timed(() => spawnSync(process.execPath, [process.argv[1], '--verify', dir], { encoding: 'utf8' }));
    best.own = Math.min(best.own, own.seconds);
    told = JSON.parse(own.result.stdout);
  }
  const mb = bytes / 1e6;
  console.table({
    'audit verify': {
      ok: told.ok,
      records,
      MB: Math.round(mb),
      seconds: round(best.own),
      'MB/s': Math.round(mb / best.own),
      'times sha256sum': round(best.own / best.sum),
      'memory at most, MiB': Math.round(told.kib / 1024),
    },
    sha256sum: { MB: Math.round(mb), seconds: round(best.sum), 'MB/s': Math.round(mb / best.sum) },
  });
  rmSync(dir, { recursive: true });
}

async function lookUps() {
  const dir = join(base, 'find');
  const { records, bytes } = generate(dir, { records: Number(values.records), fileBytes: 64 * 1024 * 1024 });
  const calls = Math.floor(records / 3.01);
  const ms = async (run) => {
    const from = performance.now();
    await run();
    return Math.round(performance.now() - from);
  };
  const files = readdirSync(dir).filter((file) => file.endsWith('.jsonl'));
  const firstPlace = async (file, id) => {
    for await (const place of indexedPlaces(dir, file, id)) return place;
  };
  const reading = await ms(() => execFileSync('sha256sum', [...files.map((file) => join(dir, file))]));
  const scan = await ms(async () => {
    for await (const { permit } of readCalls(dir)) if (permit?.receipt.id === `r_${calls - 2}`) break;
  });
  const making = await ms(async () => {
    for (const file of files) await firstPlace(file, 'nobody');
  });
  const nine = async (find) => {
    const found = [];
    for (let at = 1; at <= 9; at += 1) found.push(await ms(() => find(`r_${Math.floor((calls * at) / 10)}`)));
    found.sort((a, b) => a - b);
    return { 'median, ms': found[4], 'longest, ms': found[8] };
  };
  console.log(`${records} records, ${Math.round(bytes / 1e6)} MB in ${files.length} files`);
  console.table({
    'sha256sum of the files': { 'median, ms': reading },
    'all calls read, without index': { 'median, ms': scan },
    'all indexes made': { 'median, ms': making, 'times sha256sum': round(making / reading) },
    'a receipt, by a command': await nine((id) => findCall(dir, id)),
    'an id that is not there': { 'median, ms': await ms(() => findCall(dir, 'nobody')) },
  });
  const receipts = openReceipts(dir, { debug() {}, info() {}, warn: console.error, error: console.error });
  const list = async () => ({ 'median, ms': await ms(() => receipts.states({ limit: 20 })) });
  console.table({
    'a receipt, in the running proxy': await beside(() => nine((id) => receipts.find(id))),
    'the newest 20, first time': await beside(list),
    'the newest 20, then': await beside(list),
  });
}

/** With the longest time for which nothing else ran in this process meanwhile. */
async function beside(run) {
  let [longest, last] = [0, performance.now()];
  const beat = setInterval(() => {
    [longest, last] = [Math.max(longest, performance.now() - last), performance.now()];
  }, 1);
  const told = await run();
  clearInterval(beat);
  return { ...told, 'others waited at most, ms': Math.round(longest) };
}

function round(value) {
  return Math.round(value * 100) / 100;
}
