import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type Simulator, startSimulator, type World } from '../../src/simulator/index.js';
import { AGENT_NAMES, AGENTS } from '../support/agents.js';
import { receiptOf, sitesOf, textOf } from '../support/proxy-process.js';
import { verifies } from './requirements.js';

const TIMINGS = { gapMs: 2_000, completedMs: 50, stampMs: 20, listedMs: 100 };
const CHOICES = ['run after the checkpoint', 'do not run'];
const ALWAYS = 'always pin in this session';

let world: World;
let simulator: Simulator;

beforeAll(async () => {
  world = createWorld({
    sites: [{ name: 'site-a' }],
    vms: [{ name: 'app01' }],
    vpgs: [{ name: 'app', vms: ['app01'], timings: TIMINGS }],
  });
  simulator = await startSimulator({ world });
});
afterAll(async () => {
  await simulator.close();
  world.close();
});

describe.each(AGENT_NAMES)('a question to the human behind a client: %s', (name) => {
  test(`${verifies('P-1', 'P-2')} a call that nobody understands is asked about; run, do not run and always are what they say`, async () => {
    const asked: { readonly message: string; readonly choices: readonly string[] }[] = [];
    // One session of `serve` is that of all its stateless clients: no answer of one holds for the others.
    const isShared = name === 'second SDK, pinned, over serve';
    const answers = isShared
      ? [...CHOICES, 'run after the checkpoint', 'run after the checkpoint']
      : [...CHOICES, ALWAYS];
    const agent = await AGENTS[name]({
      config: { zvm: sitesOf(['site-a', simulator]), guard: { holdSeconds: 0 } },
      human: (message, choices) => {
        asked.push({ message, choices });
        return answers[asked.length - 1] ?? 'asked too often';
      },
    });
    const call = (program: string) => agent.call('app01', `./${program} --now`, { timeout: 30_000 });
    try {
      expect(receiptOf(await call('first'))).toMatchObject({ permit: 'pinned', vms: [{ name: 'app01' }] });
      expect(agent.reached('./first')).toBe(1);
      expect(asked[0]?.choices).toEqual(isShared ? CHOICES : [...CHOICES, ALWAYS]);
      for (const part of ['"app01"', '"app"', '"./first --now"']) expect(asked[0]?.message).toContain(part);

      const denied = await call('second');
      expect(textOf(denied)).toMatch(/^APPROVAL_DENIED: .*not sent/);
      expect(denied.isError).toBe(true);
      expect(agent.reached('./second')).toBe(0);

      for (const program of ['third', 'fourth']) {
        expect(receiptOf(await call(program))).toMatchObject({ permit: 'pinned' });
        expect(agent.reached(`./${program}`)).toBe(1);
      }
      expect(asked).toHaveLength(answers.length);
      expect(textOf(await agent.call('app01', 'uptime'))).toContain('ran uptime');
      expect(textOf(await agent.native('zerto_find_protection', { vm: 'app01' }))).toContain('"app"');
      expect(asked).toHaveLength(answers.length);
    } finally {
      await agent.close();
    }
  });
});
