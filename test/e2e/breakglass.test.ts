import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { BIN } from '../support/proxy-process.js';
import { HAS_TERMINAL } from '../support/terminal.js';
import { verifies } from './requirements.js';

/** A root that can lay a directory of its own over /etc, for its own processes alone. */
const canLay =
  process.platform === 'linux' &&
  process.geteuid?.() === 0 &&
  HAS_TERMINAL &&
  spawnSync('unshare', ['-m', 'mount', '-t', 'overlay', 'overlay', '-o', 'lowerdir=/tmp:/etc', '/etc']).status === 0;

test.runIf(canLay)(`${verifies('P-3')} through the program, with a system config in its place`, () => {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'breakglass-e2e-')));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const etc = join(dir, 'etc');
  mkdirSync(join(etc, 'zerto-rewind-proxy'), { recursive: true });
  for (const each of ['upper', 'work']) mkdirSync(join(dir, each));
  writeFileSync(
    join(etc, 'zerto-rewind-proxy', 'config.json'),
    JSON.stringify({ breakGlass: { allow: true }, mcpServers: { ssh: { family: 'ssh' } }, audit: { dir } }),
    { mode: 0o644 },
  );
  const program = `'${process.execPath}' '${BIN}' --log-level error`;
  const explain = (host: string) =>
    `${program} explain --json --server ssh --tool ssh_execute --args '{"host":"${host}","command":"reboot"}' 2>/dev/null`;
  const script = [
    `mount -t overlay overlay -o lowerdir='${etc}':/etc,upperdir='${dir}/upper',workdir='${dir}/work' /etc`,
    explain('app01'),
    `script -qec "${program} breakglass start --vm app01 --minutes 5 --reason drill" /dev/null`,
    explain('app01'),
    explain('web01'),
    `${program} breakglass end`,
    explain('app01'),
  ].join('\n');
  const { stdout, stderr } = spawnSync('unshare', ['-m', 'sh', '-ec', script], {
    encoding: 'utf8',
    env: { ...process.env, XDG_STATE_HOME: dir, XDG_CONFIG_HOME: dir },
  });
  const lines = stdout.split('\n').map((line) => line.trim());
  const decisions = lines
    .filter((line) => line.startsWith('{'))
    .map((line) => (JSON.parse(line) as { decision: string }).decision);
  expect({ decisions, stderr }).toEqual({ decisions: ['refuse', 'forward', 'refuse', 'refuse'], stderr: '' });
  expect(stdout).toMatch(/Break-glass bg_\w+: calls on "app01"/);
});
