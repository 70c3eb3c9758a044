import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { clientEnvironment, cmdLauncher, HANDED_ON, shellLauncher } from '../../src/fleet/launcher.js';
import { fc } from '../support/property.js';

const posixTest = test.runIf(process.platform !== 'win32');

function launched(program: string) {
  const dir = mkdtempSync(join(tmpdir(), "rewind it's-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const script = join(dir, 'main.mjs');
  writeFileSync(script, program);
  const launcher = join(dir, 'launcher');
  writeFileSync(launcher, shellLauncher({ node: process.execPath, program: script }), { mode: 0o755 });
  const marker = join(dir, 'marker');
  const evil = join(dir, 'evil.cjs');
  writeFileSync(evil, `require('node:fs').writeFileSync(${JSON.stringify(marker)}, 'x')`);
  for (const name of ['node', 'env', 'sed', 'sh']) {
    writeFileSync(join(dir, name), `#!/bin/sh\n: > '${marker.replaceAll("'", `'\\''`)}'\n`);
    chmodSync(join(dir, name), 0o755);
  }
  return { dir, script, launcher, marker, evil };
}

const SHOW = 'console.log(JSON.stringify({ env: process.env, args: process.argv.slice(2) }))';
type Shown = { readonly env: Record<string, string>; readonly args: readonly string[] };
/** A shell's own, and exported functions, which mean nothing to a program. */
const isShells = (name: string) => /^(?:PWD|OLDPWD|SHLVL|_|BASH_FUNC.*)$/.test(name);

posixTest(
  'the proxy gets nothing that makes Node load code, and not the PATH; the client’s environment comes back',
  () => {
    const { dir, launcher, marker, evil } = launched(SHOW);
    const env = {
      HOME: dir,
      PATH: `${dir}:/usr/bin:/bin`,
      NODE_OPTIONS: `--require "${evil}"`,
      NODE_PATH: dir,
      NODE_EXTRA_CA_CERTS: join(dir, 'ca.pem'),
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
      BASH_ENV: join(dir, 'env'),
      ENV: join(dir, 'env'),
      'BASH_FUNC_exec%%': `() { : > '${marker}'; }`,
      ODD: 'a b=c\nNODE_X=y\n\'"`$(touch x) \\ *',
      EMPTY: '',
      name: 'n',
      value: 'v',
      [`${HANDED_ON}DEEP`]: 'kept',
    };
    const given = ['--server', 'a b', '$(x)'];
    const { stdout, stderr, status } = spawnSync(launcher, given, { env, encoding: 'utf8', cwd: dir });
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    const shown = JSON.parse(stdout) as Shown;
    expect(shown.args).toEqual(given);
    expect(existsSync(marker)).toBe(false);
    const direct = Object.keys(shown.env).filter((name) => !name.startsWith(HANDED_ON) && !isShells(name));
    expect(direct.sort()).toEqual(['HOME', 'PATH']);
    expect(shown.env['PATH']).toBe('/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin');
    const restored = Object.entries(clientEnvironment(shown.env)).filter(([name]) => !isShells(name));
    const { 'BASH_FUNC_exec%%': _, ...wanted } = env;
    expect(Object.fromEntries(restored)).toEqual(wanted);
  },
);

posixTest('without the launcher the same variable does reach it: the attempt is real', () => {
  const { script, marker, evil } = launched(SHOW);
  spawnSync(process.execPath, [script], { env: { NODE_OPTIONS: `--require "${evil}"` } });
  expect(existsSync(marker)).toBe(true);
});

/** Order matters: what is unset first could be set again by what is unset later. */
const TRACED: readonly (readonly [string, (evil: string) => Readonly<Record<string, string>>])[] = [
  ['PS4 sets a variable', (evil) => ({ NODE_OPTIONS: 'x', PS4: `\${NODE_OPTIONS:=--require "${evil}"}` })],
  ['PS4 sets how lists are cut', (evil) => ({ PS4: '$((IFS=9))', NODE_OPTIONS: `--require "${evil}"` })],
];
const SHELLS = ['/bin/bash', '/bin/dash', '/bin/sh', '/usr/bin/bash', '/bin/ksh', '/bin/zsh'].filter(existsSync);

posixTest.each(SHELLS.flatMap((shell) => TRACED.map(([how, more]) => [shell, how, more] as const)))(
  'run by %s, options of the shell in the environment bring nothing in: %s',
  (shell, _, more) => {
    const { dir, launcher, marker, evil } = launched(SHOW);
    // Bash takes PS4 from anybody but root.
    const nobody = process.geteuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    chmodSync(dir, 0o777);
    mkdirSync(join(dir, 'bin'));
    symlinkSync(shell, join(dir, 'bin', 'sh'));
    const env = { HOME: dir, SHELLOPTS: 'xtrace:allexport', BASHOPTS: 'nocasematch', ...more(evil) };
    const { stdout, status } = spawnSync(join(dir, 'bin', 'sh'), [launcher], { env, encoding: 'utf8', ...nobody });
    expect({ status, ran: existsSync(marker) }).toEqual({ status: 0, ran: false });
    const { env: own } = JSON.parse(stdout) as Shown;
    const known = /^(?:HOME|PATH|IFS|SHELLOPTS|BASHOPTS|LOGNAME|zrp_.*|ZERTO_REWIND_CHILD_.*)$/;
    expect(Object.keys(own).filter((name) => !known.test(name) && !isShells(name))).toEqual([]);
  },
);

posixTest('the exit code is the program’s own', () => {
  const { launcher } = launched('process.exit(7)');
  expect(spawnSync(launcher, { env: {} }).status).toBe(7);
});

test('paths are whole and cannot break out', () => {
  for (const node of ['node', './node', '', '/a\nb', 'C:\\node.exe'])
    expect(() => shellLauncher({ node, program: '/p' })).toThrow(RangeError);
  for (const node of ['node.exe', 'C:\\a%PATH%\\node.exe', 'C:\\a"b.exe', 'C:\\a!b.exe', '/usr/bin/node'])
    expect(() => cmdLauncher({ node, program: 'C:\\p.js' })).toThrow(RangeError);
  const text = cmdLauncher({ node: 'C:\\Program Files\\nodejs\\node.exe', program: 'C:\\p\\main.js' });
  expect(text).toContain('\r\n"C:\\Program Files\\nodejs\\node.exe" "C:\\p\\main.js" %*\r\n');
});

test('property: what was handed on comes back under its name, and nothing else changes', () => {
  const name = fc.stringMatching(/^[A-Z_][A-Z0-9_]{0,8}$/);
  fc.assert(
    fc.property(fc.dictionary(name, fc.string()), fc.dictionary(name, fc.string()), (own, handed) => {
      const prefixed = Object.entries(handed).map(([key, value]) => [`${HANDED_ON}${key}`, value] as const);
      expect({ ...clientEnvironment({ ...own, ...Object.fromEntries(prefixed) }) }).toEqual({ ...own, ...handed });
    }),
  );
});
