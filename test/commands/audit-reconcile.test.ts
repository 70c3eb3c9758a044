import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runBin } from '../support/raw-proxy.js';

/** In a home of its own. */
async function run(config: object | undefined, ...args: string[]) {
  const home = mkdtempSync(join(tmpdir(), 'rewind-reconcile-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const file = join(home, 'config.json');
  if (config !== undefined) writeFileSync(file, JSON.stringify(config));
  const env = { XDG_CONFIG_HOME: home, XDG_STATE_HOME: home, ZERTO_REWIND_CONFIG: '' };
  const before = config === undefined ? [] : ['--config', file];
  return runBin([...before, '--log-level', 'error', 'audit', 'reconcile', ...args], env);
}

test.each([
  [['--since', 'yesterday'], /--since "yesterday" is neither a date nor an age/],
  [['--until', '2026-13-41'], /--until "2026-13-41" is neither a date nor an age/],
  [['all'], /"all" is too much/],
  [['--sinse', '7d'], /did you mean --since\?/],
])('%j is wrong usage', async (args, why) => {
  const { code, stdout, stderr } = await run({ zvm: 'simulator' }, ...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(why);
  expect(stderr).toContain('usage: zerto-rewind-proxy audit reconcile');
});

test('without a config, or without an appliance in it, there is nothing to compare with', async () => {
  expect(await run(undefined)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/CONFIG_INVALID/) });
  expect(await run({ mcpServers: {} })).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('names no appliance'),
  });
});

test('an empty log and an appliance without tags agree', async () => {
  const { code, stdout } = await run({ zvm: 'simulator' }, '--json', '--since', '1h');
  expect(JSON.parse(stdout)).toMatchObject({
    ok: true,
    complete: true,
    log: { calls: 0, chain: 'whole' },
    sites: [{ site: 'simulator', events: 0 }],
    findings: [],
    gaps: [],
  });
  expect(code).toBe(0);
});
