import { chmodSync, existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readCalls } from '../../src/audit/calls.js';
import { breakglassCommand } from '../../src/commands/breakglass.js';
import type { Context } from '../../src/commands/context.js';
import { currentBreakGlass, isRunning, machineTime } from '../../src/config/break-glass-file.js';
import { readSystemFile } from '../../src/config/system-file.js';
import { verifies } from '../e2e/requirements.js';

const posixTest = test.runIf(process.platform !== 'win32');
const ALLOW = '{ "breakGlass": { "allow": true, "maxMinutes": 30 } }';

function setUp(system: string | undefined = ALLOW, isTTY = true) {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'breakglass-')));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const places = {
    system: join(dir, 'config.json'),
    grant: join(dir, 'breakglass.json'),
    owner: process.geteuid?.() ?? 0,
  };
  if (system !== undefined) writeFileSync(places.system, system, { mode: 0o644 });
  let said = '';
  const write = (text: string) => (said += text);
  const nothing = () => undefined;
  const context = {
    io: { stdin: { isTTY }, stdout: { write }, stderr: { write } },
    options: { logLevel: 'silent' },
    surroundings: { env: { XDG_STATE_HOME: dir, XDG_CONFIG_HOME: dir }, platform: process.platform, home: dir },
    log: { debug: nothing, info: nothing, warn: nothing, error: nothing },
    version: async () => '1',
  } as unknown as Context;
  const run = (...args: string[]) => breakglassCommand(args, context, places);
  return { dir, places, run, said: () => said };
}
const read = (path: string) => readSystemFile({ path, owner: process.geteuid?.() ?? 0, platform: process.platform });
const START = ['start', '--vm', 'app01', '--minutes', '10', '--reason', 'ZVM is down'];

posixTest(`${verifies('P-3')} starts for named VMs, is recorded, holds for other processes, and ends`, async () => {
  const { dir, places, run, said } = setUp();
  expect(await run(...START)).toBe(0);
  expect(said()).toMatch(/^Break-glass bg_\w+: calls on "app01" go through without a checkpoint until 20/);
  expect(currentBreakGlass(places, machineTime())).toMatchObject({ vms: ['app01'], reason: 'ZVM is down' });
  expect(await run('end')).toBe(0);
  expect(currentBreakGlass(places, machineTime())).toBeUndefined();
  const calls = [];
  for await (const call of readCalls(join(dir, 'zerto-rewind-proxy', 'audit'))) calls.push(call.intent);
  calls.sort((a, b) => (a.at < b.at ? -1 : 1));
  expect(calls).toMatchObject([
    { tool: 'breakglass start', waivedBy: 'break-glass', arguments: { reason: 'ZVM is down' } },
    { tool: 'breakglass end' },
  ]);
});

posixTest.each([
  ['no system config', undefined, true, START],
  ['one that does not allow it', '{ "breakGlass": { "allow": false } }', true, START],
  ['one that says nothing', '{}', true, START],
  ['no terminal', ALLOW, false, START],
  ['more minutes than allowed', ALLOW, true, ['start', '--vm', 'a', '--minutes', '31', '--reason', 'x']],
])('%s: not allowed, and nothing is left', async (_, system, isTTY, args) => {
  const { places, run } = setUp(system === undefined ? '' : system, isTTY);
  if (system === undefined) rmSync(places.system);
  expect(await run(...args)).toBe(1);
  expect(existsSync(places.grant)).toBe(false);
});

posixTest('a system config that is not understood, or that others can write, allows nothing', async () => {
  for (const text of ['{ "breakGlas": {} }', '{ "breakGlass": { "allow": true, "x": 1 } }', 'no'])
    await expect(setUp(text).run(...START)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  const open = setUp();
  chmodSync(open.places.system, 0o666);
  expect(() => read(open.places.system)).toThrow(/others/);
  const dir = setUp();
  chmodSync(dir.dir, 0o777);
  expect(() => read(dir.places.system)).toThrow(/others/);
  const link = setUp();
  symlinkSync(link.places.system, join(link.dir, 'link.json'));
  expect(() => read(join(link.dir, 'link.json'))).toThrow(/ELOOP/);
});

posixTest('a leave that others could have written, a forged one, and one beyond the rules are none', async () => {
  const { places, run } = setUp();
  await run(...START);
  const now = machineTime();
  chmodSync(places.grant, 0o666);
  expect(currentBreakGlass(places, now)).toBeUndefined();
  chmodSync(places.grant, 0o644);
  expect(currentBreakGlass(places, now)).toBeDefined();
  expect(currentBreakGlass({ ...places, owner: places.owner + 1 }, now)?.id).toBe(
    places.owner === 0 ? currentBreakGlass(places, now)?.id : undefined,
  );
  writeFileSync(places.system, '{ "breakGlass": { "allow": true, "maxMinutes": 5 } }');
  expect(currentBreakGlass(places, now)).toBeUndefined();
  writeFileSync(places.grant, '{}');
  expect(currentBreakGlass(places, now)).toBeUndefined();
});

const at = { minutes: 10, wallMs: 1_000_000_000, upSeconds: 5_000, boot: 'a' };
test.each([
  ['right after', { wall: 1, up: 1 }, true],
  ['just before its end', { wall: 599, up: 599 }, true],
  ['at its end', { wall: 600, up: 600 }, false],
  ['with the clock set back', { wall: -3000, up: 300 }, false],
  ['with the clock set back a little at a time', { wall: 100, up: 599 }, false],
  ['with the clock set back beyond its end', { wall: 590, up: 601 }, false],
  ['with the clock set forward', { wall: 3000, up: 300 }, false],
  ['after a restart of the machine', { wall: 100, up: 100, boot: 'b' }, false],
  ['with less time since the start', { wall: 100, up: -4900 }, false],
])(
  `${verifies('P-3')} no trick with the clock prolongs it: %s`,
  (_, { wall, up, boot = 'a' }: { wall: number; up: number; boot?: string }, runs) => {
    const now = { wallMs: at.wallMs + wall * 1000, upSeconds: at.upSeconds + up, boot };
    expect(isRunning(at, now)).toBe(runs);
  },
);

test.each([
  [[]],
  [['start']],
  [['start', '--vm', '*', '--minutes', '5', '--reason', 'x']],
  [['start', '--vm', 'a', '--minutes', '0', '--reason', 'x']],
  [['start', '--vm', 'a', '--minutes', '5', '--reason', ' ']],
  [['end', '--vm', 'a']],
  [['frob']],
])('%j is wrong usage', async (args) => {
  expect(await setUp().run(...args)).toBe(2);
});
