import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openBackups } from '../../src/clients/backups.js';
import { carryOut, type Done, planInstall, planUninstall } from '../../src/clients/install.js';
import { packageOfScript } from '../../src/clients/package-of.js';
import type { ClientName, Layout, Place } from '../../src/clients/places.js';
import type { Setting } from '../../src/clients/survey.js';

export const WRAPPER = {
  node: '/opt/node 20/bin/node',
  program: '/opt/zerto-rewind-proxy/dist/src/main.js',
  options: [],
};
const CLIENT_OF: Readonly<Record<Layout, ClientName>> = {
  mcpServers: 'cursor',
  claude: 'claude-code',
  servers: 'vscode',
  mcp: 'opencode',
  codex: 'codex',
};

export function newDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'rewind-clients-'));
}

export function scratch(): string {
  const dir = newDirectory();
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

export function placeAt(file: string, layout: Layout = 'mcpServers', client = CLIENT_OF[layout]): Place {
  return { client, scope: 'user', file, layout };
}

/** A config file in a directory of its own, and the commands on it. */
export function bench(text: string | Buffer, layout: Layout = 'mcpServers', dir = scratch()) {
  const file = join(dir, 'config');
  writeFileSync(file, text);
  return at([placeAt(file, layout)], join(dir, 'state'));
}

/** The commands on places that are there. */
export function at(places: readonly [Place, ...Place[]], backupDir: string, wrapper: Setting['wrapper'] = WRAPPER) {
  const [{ file }] = places;
  const setting: Setting = {
    places,
    wrapper,
    backups: openBackups(backupDir),
    packageOf: packageOfScript,
    exists: existsSync,
  };
  const all = { clients: [], only: [] };
  const run = async (plan: typeof planInstall, choice: { only: readonly string[] }): Promise<readonly Done[]> => {
    const done: Done[] = [];
    for (const each of await plan(setting, { ...all, ...choice })) done.push(await carryOut(setting, each));
    return done;
  };
  return {
    file,
    setting,
    backupDir,
    read: () => readFileSync(file),
    copies: () => (existsSync(backupDir) ? readdirSync(backupDir).filter((name) => name !== 'index.jsonl') : []),
    install: (...only: readonly string[]) => run(planInstall, { only }),
    uninstall: (...only: readonly string[]) => run(planUninstall, { only }),
  };
}
