import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly bin: Readonly<Record<string, string>>;
}
const json = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as unknown;
const manifest = json('package.json') as Manifest;

const scratch = mkdtempSync(join(tmpdir(), 'rewind-packed-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** A directory with nothing of the repository in it but the packed package, and beside it what it declares to need; or one that npm has made. */
let installed = process.env['REWIND_INSTALLED'] ?? '';
let tarball = '';

beforeAll(() => {
  execFileSync(process.execPath, ['scripts/third-party.mjs']);
  // The build is there already, and others use it: no scripts.
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', scratch];
  execFileSync('npm', args, { encoding: 'utf8', shell: process.platform === 'win32' });
  tarball = join(scratch, readdirSync(scratch).find((file) => file.endsWith('.tgz')) ?? '');
  if (installed !== '') return;
  const modules = join(scratch, 'node_modules');
  mkdirSync(modules);
  execFileSync('tar', ['-xzf', tarball, '-C', modules]);
  symlinkSync(join(modules, 'package'), join(modules, manifest.name), 'junction');
  for (const name of Object.keys(manifest.dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(process.cwd(), 'node_modules', name), join(modules, name), 'junction');
  }
  installed = join(modules, manifest.name);
});

function below(dir: string): readonly string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(dir.length + 1)
        .replaceAll('\\', '/'),
    );
}

test('it holds the program, its types, its scripts and texts, and nothing else', () => {
  const files = below(installed);
  const kinds = new Set(
    files.map((file) => file.replace(/^(dist\/(?:src|interceptors)\/).*?((?:\.d)?\.[A-Za-z]+)$/, '$1*$2')),
  );
  expect([...kinds].sort()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'THIRD-PARTY.md',
    'completions/_zerto-rewind-proxy',
    'completions/zerto-rewind-proxy.bash',
    'completions/zerto-rewind-proxy.fish',
    'completions/zerto-rewind-proxy.ps1',
    'dist/interceptors/*.d.ts',
    'dist/interceptors/*.js',
    'dist/src/*.LICENSE',
    'dist/src/*.d.ts',
    'dist/src/*.js',
    'dist/src/*.wasm',
    'package.json',
    'proxy.config.schema.json',
    'skills/zerto-rewind/SKILL.md',
  ]);
});

test('publint has nothing to say of it', async () => {
  const bytes = readFileSync(tarball);
  const { messages, pkg } = await publint({
    pack: { tarball: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) },
    strict: true,
  });
  expect(messages.map((message) => formatMessage(message, pkg ?? {}))).toEqual([]);
});

test('its code and its types import what it declares to need, or what comes with Node', () => {
  const bare = /(?:from|import\()\s*['"]((?:@[\w.-]+\/)?\w[\w:.-]*)[^'"]*['"]/g;
  const foreign = below(installed).flatMap((file) => {
    if (!/^dist\/.*\.(?:js|d\.ts)$/.test(file)) return [];
    const names = [...readFileSync(join(installed, file), 'utf8').matchAll(bare)].map(([, name = '']) => name);
    return names
      .filter(
        (name) =>
          !/^\.|^node:/.test(name) && !builtinModules.includes(name) && !Object.hasOwn(manifest.dependencies, name),
      )
      .map((name) => `${file}: ${name}`);
  });
  // The demo runs in a clone alone, and says so.
  expect(foreign).toEqual(['dist/src/commands/demo-ssh-server.js: ssh2']);
});

test('every place that its manifest names is there', () => {
  const places = Object.values(manifest.exports).flatMap((each) =>
    typeof each === 'string' ? [each] : Object.values(each),
  );
  for (const place of [...places, ...Object.values(manifest.bin)])
    expect(existsSync(join(installed, place)), place).toBe(true);
});

describe('on a machine without the repository', () => {
  /** In a home of its own and another directory. */
  function run(args: readonly string[], input = '') {
    const home = mkdtempSync(join(scratch, 'home-'));
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: home,
      USERPROFILE: home,
      XDG_CONFIG_HOME: home,
      XDG_STATE_HOME: home,
    };
    const main = join(installed, 'dist', 'src', 'main.js');
    return spawnSync(process.execPath, [main, ...args], { encoding: 'utf8', env, input, cwd: home });
  }

  test('it tells its version, and judges a command in each shell', () => {
    expect(run(['--version'])).toMatchObject({ status: 0, stdout: `${manifest.version}\n`, stderr: '' });
    expect(run(['classify', 'uptime'])).toMatchObject({ status: 0, stdout: expect.stringMatching(/^read_only\n/) });
    expect(run(['classify', '--shell', 'powershell', 'Get-Service'])).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^read_only\n/),
    });
    expect(run(['completion', 'bash'])).toMatchObject({ status: 0, stdout: expect.stringContaining('complete -F') });
  });

  test('it wraps a server', () => {
    const echo = `process.stdin.on('data', (line) => {
      const { id } = JSON.parse(String(line).split('\\n')[0]);
      console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'echo', version: '1' } } }));
    });`;
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const hello = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    const { stdout } = run(['--as', 'x', '--', process.execPath, '-e', echo], `${hello}\n`);
    expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { serverInfo: { name: 'echo' } } });
  });

  test('its demo says that it is one of a clone', () => {
    expect(run(['demo'])).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('npm ci && npm run demo'),
    });
  });

  test('another program imports the parts that it exports', () => {
    const program = `import { createApp, loadConfig, ProxyError } from '${manifest.name}'; console.log(typeof createApp, typeof loadConfig, new ProxyError('CONFIG_INVALID', 'x').code);`;
    const args = ['--input-type=module', '-e', program];
    expect(spawnSync(process.execPath, args, { encoding: 'utf8', cwd: dirname(installed) })).toMatchObject({
      stdout: 'function function CONFIG_INVALID\n',
    });
  });
});
