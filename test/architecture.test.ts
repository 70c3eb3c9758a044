import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';
import { expect, test } from 'vitest';

/** What each layer may import of the project, besides itself. A folder without a row is a failure. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  'src/domain': [],
  'src/proxy': ['src/domain'],
  'src/classify': ['src/domain'],
  'src/policy': ['src/domain'],
  'src/targets': ['src/domain'],
  'src/servers': ['src/domain'],
  'src/ansible-hosts': ['src/domain'],
  interceptors: ['src/domain'],
  'src/zerto': ['src/domain'],
  'src/audit': ['src/domain'],
  'src/wire': ['src/domain'],
  'src/native': ['src/domain'],
  'src/approvals': ['src/domain'],
  'src/config': ['src/domain'],
  'src/clients': ['src/domain'],
  'src/hooks': ['src/domain'],
  'src/fleet': [],
  'src/metrics': ['src/domain'],
  'src/export': ['src/domain'],
  'src/reconcile': ['src/domain'],
  'src/simulator': [],
};
/** Values and use cases: no package, no I/O. */
const PURE = ['src/domain', 'src/proxy', 'src/reconcile'];
/** The appliance is reached from one place, MCP servers behind HTTP from another. */
const UNDICI = ['src/zerto', 'src/wire/remote'];
/** These may import everything; src itself holds app.ts and main.ts, src/checks what doctor and coverage look at. */
const TOP = ['src', 'src/commands', 'src/checks'];

const posix = (path: string): string => path.split(sep).join('/');

const files = ['src', 'interceptors'].flatMap((root) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => posix(join(root, name))),
);

const imports = files.flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/from '([^']+)'|import '([^']+)'|import\('([^']+)'\)/g)].map((match) => ({
    file,
    layer: layerOf(file),
    target: match[1] ?? match[2] ?? match[3] ?? '',
  })),
);

function layerOf(path: string): string {
  const parts = posix(dirname(path)).split('/');
  return parts[0] === 'src' ? parts.slice(0, 2).join('/') : (parts[0] ?? '');
}

test('there is something to check', () => {
  expect(files.length).toBeGreaterThan(40);
  expect(imports.length).toBeGreaterThan(100);
});

test('every import goes down the layers', () => {
  const wrong = imports.filter(({ file, layer, target }) => {
    if (TOP.includes(layer) || !target.startsWith('.')) return false;
    const to = layerOf(normalize(join(dirname(file), target)));
    return to !== layer && !(LAYERS[layer] ?? []).includes(to);
  });
  expect(wrong).toEqual([]);
});

test('domain and use cases import no package and no Node module', () => {
  expect(imports.filter(({ layer, target }) => PURE.includes(layer) && !target.startsWith('.'))).toEqual([]);
});

test('undici is imported where HTTP is spoken to the appliance and to MCP servers, and nowhere else', () => {
  const users = imports.filter(({ target }) => target === 'undici');
  expect(users.length).toBeGreaterThan(0);
  expect(users.filter(({ file }) => !UNDICI.includes(posix(dirname(file))))).toEqual([]);
});

test('OpenTelemetry is imported by metrics and export alone; it is loaded when there is something to send', () => {
  const users = imports.filter(({ target }) => target.startsWith('@opentelemetry/'));
  expect(users.length).toBeGreaterThan(0);
  expect(users.filter(({ layer }) => !['src/metrics', 'src/export'].includes(layer))).toEqual([]);
  const entries = ['src/exporting.ts', 'src/measuring.ts'];
  for (const entry of entries)
    expect(readFileSync(entry, 'utf8')).not.toMatch(
      /^import (?!type )[^;]*'\.\/(?:export|metrics)\/(?!deferred\.js')/m,
    );
  const loading = imports.filter(({ layer, target }) => layer !== 'src/metrics' && target.includes('/metrics/'));
  expect([...new Set(loading.map(({ file }) => file))]).toEqual(['src/measuring.ts']);
});

test('a permit is minted in one file', () => {
  const minting = files.filter((file) => /\bPermit\.key\(/.test(readFileSync(file, 'utf8')));
  expect(minting).toEqual(['src/proxy/guard.ts']);
});

test('no switch turns certificate checks off for the whole process', () => {
  const hits = files.filter((file) => /NODE_TLS_REJECT_UNAUTHORIZED['"\]]*\s*=/.test(readFileSync(file, 'utf8')));
  expect(hits).toEqual([]);
});
