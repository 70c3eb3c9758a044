// Added time per forwarded read-only call, in interleaved rounds of one run: direct, a byte pipe, a typed SDK proxy, this proxy.
// Prints a table and ratios; judges nothing.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 20);
const CALLS = Number(process.env.BENCH_CALLS ?? 200);
const here = dirname(fileURLToPath(import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'rewind-bench-'));
const config = join(scratch, 'config.json');
writeFileSync(config, JSON.stringify({ mcpServers: { exec: { family: 'ssh', shell: 'bash', target: 'app01' } } }));

const echo = [process.execPath, join(here, 'echo-server.mjs')];
const bin = join(here, '..', '..', 'dist', 'src', 'main.js');
const cases = {
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
    const { id } = JSON.parse(line);
    waiting.get(id)?.();
    waiting.delete(id);
  });
  let next = 0;
  const request = (method, params) =>
    new Promise((resolve) => {
      const id = ++next;
      waiting.set(id, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  return { child, request, notify: (method) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method })}\n`) };
}

async function start(command) {
  const began = performance.now();
  const session = open(command);
  const clientInfo = { name: 'bench', version: '1.0.0' };
  await session.request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  session.notify('notifications/initialized');
  await session.request('tools/list', {});
  return { ...session, startMs: performance.now() - began };
}

const call = { name: 'exec', arguments: { command: 'ls -la /var/log | grep nginx' } };
const micros = async ({ request }, count) => {
  const times = [];
  for (let index = 0; index < count; index += 1) {
    const began = performance.now();
    await request('tools/call', call);
    times.push((performance.now() - began) * 1000);
  }
  return times;
};
const proc = (pid, file) => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
};
/** CPU microseconds of the process so far; NaN where the platform does not tell (ticks of 10 ms, so only sums are meaningful). */
const cpu = (pid) => {
  const fields = proc(pid, 'stat').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
};
const rssMb = (pid) => Number(/VmRSS:\s+(\d+)/.exec(proc(pid, 'status'))?.[1] ?? Number.NaN) / 1024;
const quantile = (values, q) => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))];
};

const sessions = {};
for (const [name, command] of Object.entries(cases))
  sessions[name] = { ...(await start(command)), times: [], rounds: [] };
for (const session of Object.values(sessions)) await micros(session, 500);
for (const session of Object.values(sessions)) session.cpu0 = cpu(session.child.pid);
for (let round = 0; round < ROUNDS; round += 1) {
  for (const session of Object.values(sessions)) {
    const times = await micros(session, CALLS);
    session.times.push(...times);
    session.rounds.push(quantile(times, 0.5));
  }
}

const total = ROUNDS * CALLS;
const direct = sessions.direct;
const added = (session) =>
  quantile(
    session.rounds.map((value, round) => value - direct.rounds[round]),
    0.5,
  );
console.log(`${total} calls each, ${ROUNDS} interleaved rounds; microseconds`);
console.table(
  Object.fromEntries(
    Object.entries(sessions).map(([name, session]) => [
      name,
      {
        median: Math.round(quantile(session.times, 0.5)),
        p99: Math.round(quantile(session.times, 0.99)),
        'added median': Math.round(added(session)),
        'CPU/call': Math.round((cpu(session.child.pid) - session.cpu0) / total),
        'RSS MB': Math.round(rssMb(session.child.pid)),
        'start ms': Math.round(session.startMs),
      },
    ]),
  ),
);
const ours = added(sessions['this proxy']);
console.log(`added median of this proxy / of the byte pipe: ${(ours / added(sessions['byte pipe'])).toFixed(2)}`);
console.log(
  `added median of this proxy / of the typed SDK v1 proxy: ${(ours / added(sessions['typed SDK v1'])).toFixed(2)}`,
);
for (const { child } of Object.values(sessions)) child.stdin.end();
await Promise.all(Object.values(sessions).map(({ child }) => new Promise((resolve) => child.on('close', resolve))));
rmSync(scratch, { recursive: true, force: true });
