// What this proxy adds to a forwarded read-only call, beside its peers, in interleaved rounds of one run. Every call has another command.
// Prints one table; judges nothing. npm run bench -- [--only TEXT] [--rounds N] [--calls N] [--warm N] [--starts N] [--bytes N]
//   --only    the arrangements and cases whose "arrangement: case" the regular expression finds (direct and byte copy are always there)
//   --rounds  and --calls: so many rounds of so many calls each, one after the other and then 32 at once
//   --warm    calls of each case before the first round
//   --starts  how often each is started
//   --bytes   the size of a result; by default 8
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort, overHttp } from './client.mjs';
import { atOnce, inTurn, mbPerSession, median, openCase, quantile, rssMb } from './measure.mjs';
import { arrangements, echoOverHttp } from './peers.mjs';

const WIDTH = 32;
/** On a machine that is busy with other things an arrangement has fewer rounds, so that the whole run stays a matter of minutes. */
const ROUNDS_MS = 40_000;
const FEWEST_ROUNDS = 3;
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '15' },
    calls: { type: 'string', default: '120' },
    warm: { type: 'string', default: '2500' },
    starts: { type: 'string', default: '3' },
    bytes: { type: 'string' },
  },
});
const only = new RegExp(values.only);
const [rounds, calls, warm, starts] = ['rounds', 'calls', 'warm', 'starts'].map((name) => Number(values[name]));
const bytes = values.bytes === undefined ? undefined : Number(values.bytes);

const scratch = mkdtempSync(join(tmpdir(), 'rewind-bench-'));
const env = { XDG_STATE_HOME: scratch };
const behindPort = await freePort();
const behind = overHttp(echoOverHttp(String(behindPort)), behindPort, {});
const began = performance.now();
const rows = {};
for (const [name, cases] of Object.entries(arrangements(scratch, `http://127.0.0.1:${behindPort}/mcp`))) {
  const wanted = Object.keys(cases).filter((each) => only.test(`${name}: ${each}`));
  if (wanted.length > 0) Object.assign(rows, await measured(name, cases, new Set(['direct', 'byte copy', ...wanted])));
}
await behind.close();
rmSync(scratch, { recursive: true, force: true });
const size = bytes === undefined ? 'short results' : `results of ${bytes} bytes`;
console.log(
  `At most ${rounds} interleaved rounds of ${calls} calls, ${size}; times in microseconds. "/ byte copy" and "/ typed v1" compare the added medians,`,
);
console.log(`"CPU / typed v1" the processor time. ${Math.round((performance.now() - began) / 1000)} s in all.`);
console.table(rows);

/** The rows of one arrangement. */
async function measured(name, cases, wanted) {
  const open = {};
  for (const [each, commandFor] of Object.entries(cases)) {
    if (!wanted.has(each)) continue;
    const one = await openCase(commandFor, { http: name.startsWith('HTTP'), starts, env });
    open[each] = one;
    if (one.why !== undefined) continue;
    await atOnce(one, Math.min(100, warm), 1);
    one.perSession = await mbPerSession(one);
    await atOnce(one, warm, WIDTH, bytes);
  }
  const running = Object.values(open).filter((one) => one.why === undefined);
  await interleave(running);
  for (const one of running) one.mb = rssMb(one.pid);
  const table = Object.fromEntries(Object.entries(open).map(([each, one]) => [`${name}: ${each}`, row(one, open)]));
  await Promise.all(running.map((one) => one.end()));
  return table;
}

async function interleave(running) {
  const until = performance.now() + ROUNDS_MS;
  for (let round = 0; round < rounds && (round < FEWEST_ROUNDS || performance.now() < until); round += 1) {
    // Each is the first in turn: who comes after an idle one has a warmer machine.
    const turn = [...running.slice(round % running.length), ...running.slice(0, round % running.length)];
    for (const one of turn) await inTurn(one, calls, bytes);
    for (const one of turn) one.rates.push(await atOnce(one, calls, WIDTH, bytes));
  }
}

function row(one, open) {
  if (one.why !== undefined) return { note: one.why };
  const { direct } = open;
  return {
    'added median': whole(added(one, direct)),
    'added p99': whole(quantile(one.times, 0.99) - quantile(direct.times, 0.99)),
    'calls/s at 32': whole(median(one.rates)),
    'CPU/call': whole(one.cpu / one.times.length),
    MB: whole(one.mb),
    'MB/session': tenths(one.perSession),
    'start ms': whole(one.startMs),
    '/ byte copy': ratio(one, open['byte copy'], (each) => added(each, direct)),
    '/ typed v1': ratio(one, open['typed SDK v1'], (each) => added(each, direct)),
    'CPU / typed v1': ratio(one, open['typed SDK v1'], (each) => each.cpu),
  };
}

/** The median over the rounds of how much longer a call takes than in the same round with nothing between. */
function added(one, direct) {
  return median(one.rounds.map((value, round) => value - direct.rounds[round]));
}

function ratio(one, other, of) {
  return other === undefined || other.why !== undefined ? '' : two(of(one) / of(other));
}

function whole(value) {
  return Number.isFinite(value) ? Math.round(value) : '';
}

function tenths(value) {
  return Number.isFinite(value) ? Math.round(value * 10) / 10 : '';
}

function two(value) {
  return Number.isFinite(value) ? Math.round(value * 100) / 100 : '';
}
