// Prints what a pin costs on the embedded appliance, per profile, on a clock of its own: no real seconds pass. npm run bench:guard
// listed: when the appliance lists the tag; seen: when the guard lets the call go; requests: with the state, the journal and the clock read.
import { Guard } from '../../dist/src/proxy/guard.js';
import { createWorld, startSimulator } from '../../dist/src/simulator/index.js';
import { ZvmClient } from '../../dist/src/zerto/client.js';
import { ZvmCheckpoints } from '../../dist/src/zerto/pin.js';

const CALLS = 100;
const table = {};
for (const profile of ['vsphere', 'azure', 'aws']) {
  const one = await run(profile, 1);
  const many = await run(profile, CALLS);
  table[profile] = {
    'listed, s': one.listed / 1000,
    'seen, s': one.seen / 1000,
    'late by, s': round((one.seen - one.listed) / 1000),
    'allowed, s': round(0.3 + (0.05 * one.listed) / 1000),
    'requests per pin': one.requests,
    [`tags for ${CALLS} calls at once`]: many.tags,
    'requests for them': many.requests,
    'last one seen, s': round(many.seen / 1000),
  };
}
console.table(table);

async function run(profile, calls) {
  const clock = eventClock(Date.UTC(2026, 10, 30));
  const world = createWorld({
    clock,
    sites: [{ name: 'site-a' }],
    vms: [{ name: 'app01' }],
    vpgs: [{ name: 'app', vms: ['app01'], profile }],
  });
  const zvm = await startSimulator({ world, knobs: { tokenSeconds: 3600 } });
  const client = new ZvmClient({
    site: 'site-a',
    url: zvm.url,
    login: { grant: 'password', clientId: 'zerto-client', username: zvm.user, password: async () => zvm.password },
    tls: { kind: 'off' },
    clock,
    http: inProcess(zvm),
  });
  await client.localSite(new AbortController().signal);
  const guard = guardOn(client, clock);
  const target = targetOf(world, profile);
  zvm.requests.length = 0;
  const from = clock.now();
  const all = Promise.all(Array.from({ length: calls }, (_, index) => call(guard, target, index)));
  await clock.run(all);
  const seen = clock.now() - from;
  const tags = world.vpg('app').journal.filter(({ tag }) => tag !== undefined);
  const result = { listed: (tags[0]?.listedAt ?? 0) - from, seen, requests: zvm.requests.length, tags: tags.length };
  await zvm.close();
  world.close();
  return result;
}

function guardOn(client, clock) {
  let id = 0;
  return new Guard({
    checkpoints: new ZvmCheckpoints({ clients: [client], clock }),
    clock,
    newId: (prefix) => `${prefix}_${++id}`,
    hold: { seconds: 5, trustCloudTags: false },
    reuseSeconds: 0,
    maxTagsPerVpgPerHour: 120,
    simulated: () => true,
    mode: 'enforce',
    log: { info: () => undefined, warn: () => undefined },
  });
}

async function call(guard, target, index) {
  const call = {
    id: `call_${index}`,
    session: 'bench',
    agent: 'bench',
    server: { name: 'ssh' },
    tool: 'run',
    arguments: {},
    digest: String(index),
    raw: new Uint8Array(),
  };
  const granted = await guard.grant({
    call,
    place: guard.arrive(call),
    settled: { kind: 'pin_then_forward', rule: 'bench', targets: [target] },
    aim: { targets: [target], problems: [] },
    covers: 'vm',
    aimAgain: async () => ({ targets: [target], problems: [] }),
    signal: new AbortController().signal,
  });
  granted.sent();
  granted.done();
}

function targetOf(world, profile) {
  const { vpgIdentifier } = world.vpg('app');
  const vpgs = [{ name: 'app', vpgIdentifier, site: 'site-a', profile }];
  const { vmIdentifier } = world.vm('app01');
  return { host: 'app01', vm: { name: 'app01', vmIdentifier, site: 'site-a', addresses: [], vpgs } };
}

function inProcess(zvm) {
  return {
    site: 'site-a',
    pathOf: () => undefined,
    open: () => Promise.reject(new Error('nothing is downloaded here')),
    close: async () => undefined,
    send: async ({ method, path, query = {}, json, form, bearer }) => {
      const given = Object.entries(query).filter(([, value]) => value !== undefined);
      const answer = await zvm.answer({
        method,
        path: `/${path}?${new URLSearchParams(given)}`,
        authorization: bearer && `Bearer ${bearer}`,
        contentType: form ? 'application/x-www-form-urlencoded' : 'application/json',
        text: form ? String(new URLSearchParams(form)) : (JSON.stringify(json) ?? ''),
      });
      return { ...answer, headers: {} };
    },
  };
}

/** Jumps to the next event as soon as nothing is left to do at this moment. */
function eventClock(start) {
  let now = start;
  const timers = [];
  const setTimer = (at, run) => {
    const timer = { at, run };
    timers.push(timer);
    return () => timers.splice(timers.indexOf(timer), 1);
  };
  return {
    now: () => now,
    setTimer,
    sleep: (ms) => new Promise((resolve) => void setTimer(now + ms, resolve)),
    async run(until) {
      let over = false;
      const watched = until.finally(() => {
        over = true;
      });
      for (;;) {
        for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        if (over) return watched;
        timers.sort((left, right) => left.at - right.at);
        const timer = timers.shift();
        now = Math.max(now, timer.at);
        timer.run();
      }
    },
  };
}

function round(value) {
  return Math.round(value * 100) / 100;
}
