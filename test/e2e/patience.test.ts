import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type Simulator, startSimulator, type World } from '../../src/simulator/index.js';
import { AGENT_NAMES, AGENTS, type AgentName, place, reachedIn } from '../support/agents.js';
import { BIN, receiptOf, sitesOf, textOf } from '../support/proxy-process.js';
import { programOf } from '../support/real-servers.js';
import { verifies } from './requirements.js';

const run = promisify(execFile);
const TIMINGS = { gapMs: 2_000, completedMs: 500, stampMs: 200 };
/** Longer than the early answer takes and than the client waits. */
const LISTED_MS = 9_000;
const CLIENT_MS = 8_000;
/** Longer than two of the intervals in which a waiting client is told so, and than it waits untold. */
const LONG_LISTED_MS = 15_000;
const LONG_CLIENT_MS = 11_000;

/** A VM and a VPG of its own for each client and kind of wait: their tags can be told apart. */
const vmOf = (name: string) => name.replace(/[^a-z]+/gi, '-').toLowerCase();
const INSPECTOR = ['mcp-inspector early', 'mcp-inspector whole', 'gives up'];

let world: World;
let simulator: Simulator;

beforeAll(async () => {
  const early = [...AGENT_NAMES, ...INSPECTOR].map((name) => ({ vm: vmOf(name), listedMs: LISTED_MS }));
  const told = AGENT_NAMES.map((name) => ({ vm: vmOf(`told ${name}`), listedMs: LONG_LISTED_MS }));
  const all = [...early, ...told];
  world = createWorld({
    sites: [{ name: 'site-a' }],
    vms: all.map(({ vm }) => ({ name: vm })),
    vpgs: all.map(({ vm, listedMs }) => ({ name: vm, vms: [vm], timings: { ...TIMINGS, listedMs } })),
  });
  simulator = await startSimulator({ world });
});
afterAll(async () => {
  await simulator.close();
  world.close();
});

const config = (answerWithinSeconds?: number) => ({
  zvm: sitesOf(['site-a', simulator]),
  guard: { holdSeconds: 0, ...(answerWithinSeconds !== undefined && { answerWithinSeconds }) },
});
const tagsOn = (vm: string) => world.vpg(vm).journal.filter(({ tag }) => tag !== undefined).length;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Sends the call until it is not told to come again, as an agent does that reads. */
async function insist(
  call: () => Promise<CallToolResult>,
): Promise<{ readonly early: string[]; readonly last: CallToolResult }> {
  const early: string[] = [];
  for (;;) {
    const result = await call();
    if (!textOf(result).includes('not sent yet') || early.length > 20) return { early, last: result };
    early.push(textOf(result));
    await pause(300);
  }
}

describe('a pin that is longer than the patience of a client', () => {
  test.concurrent.each(AGENT_NAMES)(
    `${verifies('G-6')} without a progress token it is answered before it gives up, and its repeats end in one forward (%s)`,
    async (name: AgentName) => {
      const agent = await AGENTS[name]({ config: config(1) });
      const vm = vmOf(name);
      try {
        await agent.call(vm, 'uptime');
        const { early, last } = await insist(() => agent.call(vm, 'touch /early', { timeout: CLIENT_MS }));
        expect(early.length).toBeGreaterThanOrEqual(1);
        expect(early[0]).toMatch(/^CHECKPOINT_NOT_PINNED: .*not sent yet\. Send the same call again in \d+ s/);
        expect(receiptOf(last), textOf(last)).toMatchObject({ permit: 'pinned', vms: [{ name: vm }] });
        expect(agent.reached('touch /early')).toBe(1);
        expect(tagsOn(vm)).toBe(1);
      } finally {
        await agent.close();
      }
    },
  );

  test.concurrent.each(AGENT_NAMES)(
    `${verifies('G-6', 'T-1')} with one, rising progress keeps it waiting, and the call is forwarded once (%s)`,
    async (name: AgentName) => {
      const agent = await AGENTS[name]({ config: config() });
      const vm = vmOf(`told ${name}`);
      const told: number[] = [];
      try {
        await agent.call(vm, 'uptime');
        const result = await agent.call(vm, 'touch /told', {
          timeout: LONG_CLIENT_MS,
          resetTimeoutOnProgress: true,
          onprogress: ({ progress }) => told.push(progress),
        });
        expect(receiptOf(result), textOf(result)).toMatchObject({ permit: 'pinned', vms: [{ name: vm }] });
        expect(told.length).toBeGreaterThanOrEqual(2);
        expect(told).toEqual([...new Set(told)].sort((left, right) => left - right));
        expect(agent.reached('touch /told')).toBe(1);
        expect(tagsOn(vm)).toBe(1);
      } finally {
        await agent.close();
      }
    },
  );

  test.concurrent(`${verifies('G-6', 'G-7')} a client that asks to be told and gives up all the same sends nothing by that; its next call finds the tag`, async () => {
    const agent = await AGENTS['first SDK']({ config: config() });
    const vm = vmOf('gives up');
    const impatient = () => agent.call(vm, 'touch /given-up', { timeout: 2_500, onprogress: () => undefined });
    try {
      await expect(impatient()).rejects.toThrow(/timed out/i);
      await pause(500);
      expect(agent.reached('touch /given-up')).toBe(0);
      const again = await agent.call(vm, 'touch /given-up', { timeout: 20_000 });
      expect(receiptOf(again), textOf(again)).toMatchObject({ permit: 'pinned' });
      expect(agent.reached('touch /given-up')).toBe(1);
      expect(tagsOn(vm)).toBe(1);
    } finally {
      await agent.close();
    }
  });
});

describe('mcp-inspector --cli, which starts the proxy for each call', () => {
  async function inspect(vm: string, command: string, answerWithinSeconds?: number) {
    const { dir, file, log } = place(config(answerWithinSeconds));
    const client = join(dir, 'client.json');
    const entry = { command: process.execPath, args: [BIN, '--config', file] };
    writeFileSync(client, JSON.stringify({ mcpServers: { ssh: entry } }));
    const words = ['--method', 'tools/call', '--tool-name', 'ssh_execute', '--tool-arg', `host=${vm}`];
    const inspector = [programOf('@modelcontextprotocol/inspector'), '--cli', '--config', client, '--server', 'ssh'];
    const all = [...inspector, ...words, '--tool-arg', `command=${command}`];
    try {
      const { stdout } = await run(process.execPath, all, { env: { ...process.env, XDG_STATE_HOME: dir } });
      return { result: JSON.parse(stdout) as CallToolResult, reached: reachedIn(log, command) };
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  }

  test.concurrent(`${verifies('G-6')} it waits for a pin that it has the patience for: forwarded once`, async () => {
    const { result, reached } = await inspect(vmOf('mcp-inspector whole'), 'touch /whole');
    expect(receiptOf(result)).toMatchObject({ permit: 'pinned' });
    expect(reached).toBe(1);
  });

  test.concurrent(`${verifies('G-6')} answered early it has nothing to come back to: nothing is sent`, async () => {
    const { result, reached } = await inspect(vmOf('mcp-inspector early'), 'touch /early', 1);
    expect(textOf(result)).toMatch(/not sent yet\. Send the same call again/);
    expect(result.isError).toBe(true);
    expect(reached).toBe(0);
  });
});
