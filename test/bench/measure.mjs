// What one case is asked to do, and what is read off it.
import { readdirSync, readFileSync } from 'node:fs';
import { freePort, httpSession, overHttp, overStdio } from './client.mjs';
import { readOnly } from './commands.mjs';

/** Sessions that are opened beside the first one, to see what each costs. */
const SESSIONS = 8;

/** Starts the command of a case and greets it. `sessions`: opens further ones, where the front is HTTP. */
async function begin(command, port, env) {
  const began = performance.now();
  if (port === undefined) {
    const process = overStdio(command, env);
    return greeted(process, process, undefined, began);
  }
  const process = overHttp(command, port, env);
  return greeted(process, process.open(), process.open, began);
}

async function greeted(process, session, open, began) {
  const end = async () => {
    if (session !== process) await session.close();
    await process.close();
  };
  try {
    await session.greet();
  } catch (error) {
    await end();
    throw error;
  }
  return { pid: process.pid, session, open, end, startMs: performance.now() - began };
}

/** One case, started `starts` times; the last one stays. `why` says what is wrong with one that cannot be measured. */
export async function openCase(commandFor, { http, starts, env }) {
  const startMs = [];
  try {
    for (;;) {
      const port = http ? await freePort() : undefined;
      const command = commandFor(String(port));
      if (typeof command === 'string') return { why: command };
      const running = command.running === undefined ? await begin(command, port, env) : await beside(command.running);
      startMs.push(running.startMs);
      if (startMs.length >= starts)
        return { ...running, startMs: median(startMs), calls: 0, times: [], rounds: [], cpu: 0, rates: [] };
      await running.end();
    }
  } catch (error) {
    return { why: error.message };
  }
}

/** A session with a server that runs already, and whose process is no part of the case. */
async function beside(url) {
  const session = httpSession(Number(new URL(url).port), new Promise(() => undefined));
  await session.greet();
  return { pid: undefined, session, open: undefined, end: session.close, startMs: Number.NaN };
}

/** One call that no earlier one is like. A result that did not come through as it is would measure something else: it ends the run. */
async function call(one, session, bytes) {
  const command = readOnly(one.calls++, bytes);
  const { result } = await session.request('tools/call', { name: 'exec', arguments: { command } });
  if (result?.content?.[0]?.text.length !== (bytes ?? 8) || result._meta !== undefined)
    throw new Error(`not forwarded as it is: ${command}: ${JSON.stringify(result)}`);
}

/** Calls one after the other. */
export async function inTurn(one, count, bytes) {
  const before = cpu(one.pid);
  const times = [];
  for (let index = 0; index < count; index += 1) {
    const began = performance.now();
    await call(one, one.session, bytes);
    times.push((performance.now() - began) * 1000);
  }
  one.cpu += cpu(one.pid) - before;
  one.times.push(...times);
  one.rounds.push(median(times));
}

/** Calls per second while `width` of them are on their way. */
export async function atOnce(one, count, width, bytes) {
  const began = performance.now();
  let left = count;
  const worker = async () => {
    while (left-- > 0) await call(one, one.session, bytes);
  };
  await Promise.all(Array.from({ length: width }, worker));
  return (count * 1000) / (performance.now() - began);
}

/** What each further session adds to the memory of the process, in MB; NaN where there is one session only. */
export async function mbPerSession(one) {
  if (one.open === undefined) return Number.NaN;
  const before = rssMb(one.pid);
  const sessions = [];
  for (let index = 0; index < SESSIONS; index += 1) {
    const session = one.open();
    sessions.push(session);
    await session.greet();
    for (let calls = 0; calls < 10; calls += 1) await call(one, session);
  }
  const added = (rssMb(one.pid) - before) / SESSIONS;
  for (const session of sessions) await session.close();
  return added;
}

const proc = (pid, file) => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
};

/** CPU microseconds of the process so far, all threads; NaN where the platform does not tell. */
function cpu(pid) {
  return nanoseconds(pid) / 1000 || ticks(pid);
}

/** Exact, where the kernel keeps it; 0 where it does not. */
function nanoseconds(pid) {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.reduce((sum, thread) => sum + (Number(proc(pid, `task/${thread}/schedstat`).split(' ')[0]) || 0), 0);
  } catch {
    return 0;
  }
}

/** Ticks of 10 ms, so only sums mean anything. */
function ticks(pid) {
  const fields = proc(pid, 'stat').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

export function rssMb(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(proc(pid, 'status'))?.[1] ?? Number.NaN) / 1024;
}

export function quantile(values, q) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))];
}

export const median = (values) => quantile(values, 0.5);
