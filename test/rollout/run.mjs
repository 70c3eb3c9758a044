// Installs the real clients by their exact versions into a directory of their own (REWIND_CLIENTS, or one that stays in the temporary
// directory), then runs the tests beside this file with them. npm run test:clients
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const versions = JSON.parse(readFileSync(join(here, 'versions.json'), 'utf8'));
const dir = process.env['REWIND_CLIENTS'] ?? join(tmpdir(), 'rewind-clients');
mkdirSync(dir, { recursive: true });
const packages = Object.entries(versions).map(([name, version]) => `${name}@${version}`);

const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const started = performance.now();
const install = ['install', '--prefix', dir, '--no-audit', '--no-fund', '--silent', ...packages];
exitUnlessOk(spawnSync(npm, install, { stdio: 'inherit' }));
console.error(`${packages.join(', ')} in ${dir}: ${((performance.now() - started) / 1000).toFixed(1)} s`);

const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));
const env = { ...process.env, REWIND_CLIENTS: dir };
exitUnlessOk(
  spawnSync(process.execPath, [vitest, 'run', 'test/rollout', ...process.argv.slice(2)], { stdio: 'inherit', env }),
);

function exitUnlessOk({ status }) {
  if (status !== 0) process.exit(status ?? 1);
}
