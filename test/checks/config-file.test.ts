import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { configChecks } from '../../src/checks/config-file.js';

test.runIf(process.platform !== 'win32')(
  'a server of the system config that PATH leads somewhere is told; one by a full path is not, nor one of a user alone',
  async () => {
    const dir = realpathSync(mkdtempSync(join(tmpdir(), 'checks-')));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    const path = join(dir, 'config.json');
    const mcpServers = { bare: { command: 'npx', args: ['-y', 'ssh-mcp'] }, full: { command: '/usr/bin/node' } };
    writeFileSync(path, JSON.stringify({ mcpServers }), { mode: 0o644 });
    const own = { env: {}, platform: process.platform, home: dir };
    const system = { path, owner: process.geteuid?.() ?? 0, platform: process.platform };
    const told = ({ checks }: Awaited<ReturnType<typeof configChecks>>) =>
      checks.filter(({ id }) => id === 'config.system-command').map(({ subject, status }) => `${subject} ${status}`);
    expect(told(await configChecks({ ...own, system, isFixed: true }))).toEqual(['bare warn']);
    expect(told(await configChecks({ ...own, file: path }))).toEqual([]);
  },
);
