import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type Simulator, startSimulator, type World } from '../../src/simulator/index.js';
import { AGENT_NAMES, AGENTS } from '../support/agents.js';
import { receiptOf, sitesOf, startProxy, textOf } from '../support/proxy-process.js';
import { verifies } from './requirements.js';

const TIMINGS = { gapMs: 1_000, completedMs: 50, stampMs: 20, listedMs: 100 };
const BEFORE = 'listen = 8080\n';
const PATH = '/etc/app.conf';

let world: World;
let simulator: Simulator;

beforeAll(async () => {
  world = createWorld({
    sites: [{ name: 'site-a' }],
    vms: [{ name: 'app01' }],
    vpgs: [{ name: 'app', vms: ['app01'], timings: TIMINGS }],
  });
  simulator = await startSimulator({ world, knobs: { mountMs: 50, unmountMs: 20 } });
});
afterAll(async () => {
  await simulator.close();
  world.close();
});

const config = (more: object = {}) => ({ zvm: sitesOf(['site-a', simulator]), ...more });
const mounts = () =>
  simulator.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/flrs')).length;

/** The guest as it was, and what the command then makes of it. */
function stage(): { broken(): void } {
  world.write('app01', PATH, BEFORE);
  world.checkpoint('app');
  return {
    broken: () => {
      world.write('app01', PATH, 'listen = 0\n');
      world.checkpoint('app');
    },
  };
}

describe.each(AGENT_NAMES)('the whole loop behind a client: %s', (name) => {
  test(`${verifies('N-1', 'N-2')} change, preview, no, yes: the content is what stood there, one question each, nothing stays mounted`, async () => {
    const guest = stage();
    const asked: string[] = [];
    const answers = ['yes', 'no', 'yes'];
    const agent = await AGENTS[name]({
      config: config(),
      human: (message, choices) => {
        asked.push(message);
        return choices[answers[asked.length - 1] === 'yes' ? 0 : 1] ?? '';
      },
    });
    try {
      const receipt = receiptOf(await agent.call('app01', `sed -i 's/8080/0/' ${PATH}`, { timeout: 30_000 }));
      guest.broken();
      const wanted = { receipt: receipt?.id, path: PATH };
      const sha256 = createHash('sha256').update(BEFORE).digest('hex');

      const preview = await agent.native('zerto_recover_file', { ...wanted, preview: true });
      expect(preview.structuredContent, textOf(preview)).toMatchObject({
        kind: 'preview',
        sha256,
        comparison: { kind: 'differs' },
        diff: expect.stringContaining('-listen = 8080\n+listen = 0\n'),
      });
      expect(asked).toHaveLength(1);

      const before = mounts();
      const denied = await agent.native('zerto_recover_file', wanted);
      expect(textOf(denied)).toMatch(/^APPROVAL_DENIED: The human did not agree/);
      expect(mounts()).toBe(before);

      const given = await agent.native('zerto_recover_file', wanted);
      expect(given.structuredContent, textOf(given)).toMatchObject({ kind: 'file', content: BEFORE, sha256 });
      expect(asked).toHaveLength(3);
      for (const message of asked) expect(message).toContain(`"${PATH}"`);
      expect(world.sessions).toEqual([]);
    } finally {
      await agent.close();
    }
  });
});

test(`${verifies('N-2')} behind a client that can ask nobody, with nobody elsewhere: a preview tells size and age alone, nothing is recovered`, async () => {
  const guest = stage();
  const proxy = await startProxy({ config: config({ approvals: { outOfBand: false } }) });
  try {
    const receipt = receiptOf(await proxy.call('run', { host: 'app01', command: `sed -i 's/8080/0/' ${PATH}` }));
    guest.broken();
    const wanted = { receipt: receipt?.id, path: PATH };
    const preview = await proxy.call('zerto_recover_file', { ...wanted, preview: true });
    expect(preview.structuredContent).toMatchObject({ kind: 'preview', size: BEFORE.length });
    expect(JSON.stringify(preview)).not.toMatch(/8080|sha256/);
    const before = mounts();
    const given = await proxy.call('zerto_recover_file', wanted);
    expect(textOf(given)).toMatch(/^APPROVAL_DENIED: A human must confirm this/);
    expect(mounts()).toBe(before);
    expect(world.sessions).toEqual([]);
  } finally {
    await proxy.close();
  }
});
