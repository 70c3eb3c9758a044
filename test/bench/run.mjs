// Added time per forwarded read-only call, in interleaved rounds of one run: direct, a byte pipe, a typed SDK proxy, this proxy.
// Every call has another command; each round has two parts, small results (8 bytes) and typical ones (4 KB). Prints tables and
// ratios; judges nothing. BENCH_ROUNDS, BENCH_CALLS (per round and part) and BENCH_WARM (calls before the first round) change its size.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { readOnly } from './commands.mjs';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 20);
const CALLS = Number(process.env.BENCH_CALLS ?? 200);
const WARM = Number(process.env.BENCH_WARM ?? 1000);
const STARTS = 5;
const PARTS = { small: undefined, '4 KB': 4096 };

const here = dirname(fileURLToPath(import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'rewind-bench-'));
const config = join(scratch, 'config.json');
writeFileSync(config, JSON.stringify({ mcpServers: { exec: { family: 'ssh', shell: 'bash', target: 'app01' } } }));

const echo = [process.execPath, join(here, 'echo-server.mjs')];
const bin = join(here, '..', '..', 'dist', 'src', 'main.js');
const CASES = {
  direct: echo,
  'byte pipe': [process.execPath, join(here, 'byte-pipe.mjs'), ...echo],
  'typed SDK v1': [process.execPath, join(here, 'typed-proxy.mjs'), ...echo],
  'this proxy': [process.execPath, bin, '--config', config, '--log-level', 'error', '--as', 'exec', '--', ...echo],
};

function open([command, ...args]) {
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, XDG_STATE_HOME: scratch },
  });
  const waiting = new Map();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  });
  let next = 0;
  const request = (method, params) =>
    new Promise((resolve) => {
      const id = ++next;
      waiting.set(id, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  const notify = (method) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method })}\n`);
  const close = () => {
    child.stdin.end();
    return new Promise((resolve) => child.on('close', resolve));
  };
  return { pid: child.pid, request, notify, close };
}

async function start(command) {
  const began = performance.now();
  const session = open(command);
  const clientInfo = { name: 'bench', version: '1.0.0' };
  await session.request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  session.notify('notifications/initialized');
  await session.request('tools/list', {});
  return { ...session, startMs: performance.now() - began, calls: 0 };
}

/** Microseconds of each call. One that was not forwarded as read-only would measure something else: it ends the run. */
async function micros(session, count, bytes) {
  const times = [];
  for (let index = 0; index < count; index += 1) {
    const command = readOnly(session.calls++, bytes);
    const began = performance.now();
    const { result } = await session.request('tools/call', { name: 'exec', arguments: { command } });
    times.push((performance.now() - began) * 1000);
    if (result?.content?.[0]?.text.length !== (bytes ?? 8) || result._meta !== undefined)
      throw new Error(`not forwarded as it is: ${command}: ${JSON.stringify(result)}`);
  }
  return times;
}

const proc = (pid, file) => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
};
/** CPU microseconds of the process so far, all threads; NaN where the platform does not tell (ticks of 10 ms, so only sums mean anything). */
const cpu = (pid) => {
  const fields = proc(pid, 'stat').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
};
const rssMb = (pid) => Number(/VmRSS:\s+(\d+)/.exec(proc(pid, 'status'))?.[1] ?? Number.NaN) / 1024;
const quantile = (values, q) => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))];
};
const median = (values) => quantile(values, 0.5);

const sessions = {};
for (const [name, command] of Object.entries(CASES)) {
  const startMs = [];
  for (let index = 1; index < STARTS; index += 1) {
    const probe = await start(command);
    startMs.push(probe.startMs);
    await probe.close();
  }
  const session = await start(command);
  startMs.push(session.startMs);
  const parts = Object.fromEntries(Object.keys(PARTS).map((part) => [part, { times: [], rounds: [], cpu: 0 }]));
  sessions[name] = { ...session, startMs: median(startMs), idleMb: rssMb(session.pid), parts };
}
for (const session of Object.values(sessions)) {
  session.first = median(await micros(session, 100));
  for (const bytes of Object.values(PARTS)) await micros(session, WARM / 2, bytes);
}
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [part, bytes] of Object.entries(PARTS)) {
    for (const session of Object.values(sessions)) {
      const before = cpu(session.pid);
      const times = await micros(session, CALLS, bytes);
      const seen = session.parts[part];
      seen.cpu += cpu(session.pid) - before;
      seen.times.push(...times);
      seen.rounds.push(median(times));
    }
  }
}

const rounded = (value) => (Number.isNaN(value) ? 'n/a' : Math.round(value));
const added = (name, part) => {
  const direct = sessions.direct.parts[part].rounds;
  return median(sessions[name].parts[part].rounds.map((value, round) => value - direct[round]));
};
const table = (row) => console.table(Object.fromEntries(Object.keys(CASES).map((name) => [name, row(name)])));

for (const part of Object.keys(PARTS)) {
  console.log(`${part} results, ${ROUNDS * CALLS} calls each in ${ROUNDS} interleaved rounds; microseconds`);
  table((name) => {
    const { times, cpu: used } = sessions[name].parts[part];
    return {
      median: rounded(median(times)),
      p99: rounded(quantile(times, 0.99)),
      'added median': rounded(added(name, part)),
      'CPU/call': rounded(used / (ROUNDS * CALLS)),
      '/ byte pipe': (added(name, part) / added('byte pipe', part)).toFixed(2),
      '/ typed SDK v1': (added(name, part) / added('typed SDK v1', part)).toFixed(2),
    };
  });
}
console.log('the process');
table((name) => ({
  'start ms': rounded(sessions[name].startMs),
  'first 100 calls, median': rounded(sessions[name].first),
  'RSS MB at start': rounded(sessions[name].idleMb),
  'RSS MB at the end': rounded(rssMb(sessions[name].pid)),
}));
await Promise.all(Object.values(sessions).map((session) => session.close()));
rmSync(scratch, { recursive: true, force: true });
