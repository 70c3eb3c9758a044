import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { summaryOf } from '../../src/checks/check.js';
import { findOnPath } from '../../src/checks/on-path.js';
import { writersOf } from '../../src/checks/owners.js';
import { programChecks } from '../../src/checks/program.js';
import { rolesCheck } from '../../src/checks/roles.js';
import { rolesOf } from '../../src/zerto/token-roles.js';

const posixOnly = test.runIf(process.platform !== 'win32');

function scratch(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'checks-')));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

test.each([
  ['v20.18.9', 'fail'],
  ['v18.0.0', 'fail'],
  ['v20.19.0', 'pass'],
  ['v24.1.0', 'pass'],
] as const)('Node %s: %s', (version, status) => {
  expect(programChecks(version, '1.0.0', {})).toMatchObject([{ id: 'program.node', status }]);
});

test('switches of the environment that weaken what runs are told', () => {
  const checks = programChecks('v22.0.0', '1', { NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_OPTIONS: '--require x' });
  expect(checks.map(({ id, status }) => `${id} ${status}`)).toEqual([
    'program.node pass',
    'program.tls-switch warn',
    'program.node-options warn',
  ]);
  expect(summaryOf([{ title: 'x', checks }])).toEqual({ pass: 1, warn: 2, fail: 0, skip: 0 });
});

posixOnly('who can change a file: also by a directory above, and behind a link', () => {
  const dir = scratch();
  const inner = join(dir, 'inner');
  mkdirSync(inner, { mode: 0o755 });
  const file = join(inner, 'file');
  writeFileSync(file, '');
  chmodSync(dir, 0o755);
  const alone = process.geteuid?.() === 0 ? 'nobody' : 'user';
  expect(writersOf(file, 'linux').kind).toBe(alone);
  symlinkSync(file, join(dir, 'link'));
  chmodSync(file, 0o666);
  expect(writersOf(join(dir, 'link'), 'linux')).toEqual({ kind: 'others', how: `mode 0666 of ${file}` });
  chmodSync(file, 0o644);
  chmodSync(inner, 0o777);
  expect(writersOf(file, 'linux')).toEqual({ kind: 'others', how: `mode 0777 of ${inner}` });
  chmodSync(inner, 0o1777);
  expect(writersOf(file, 'linux').kind).toBe(alone);
  expect(writersOf(join(dir, 'none'), 'linux')).toEqual({ kind: 'unknown', why: 'ENOENT' });
  expect(writersOf(file, 'win32').kind).toBe('unknown');
});

posixOnly('a command is found where PATH names it first', () => {
  const [one, two] = [join(scratch(), 'one'), join(scratch(), 'two')];
  for (const dir of [one, two]) mkdirSync(dir);
  mkdirSync(join(one, 'tool'));
  writeFileSync(join(two, 'tool'), '');
  const env = { PATH: `${one}:${two}` };
  expect(findOnPath('tool', { env, platform: 'linux' })).toEqual({ file: join(two, 'tool'), before: [one] });
  expect(findOnPath('none', { env, platform: 'linux' })).toEqual({ file: undefined, before: [one, two] });
  expect(findOnPath(join(two, 'tool'), { env: {}, platform: 'linux' }).file).toBe(join(two, 'tool'));
});

const jwt = (claims: object) => `h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`;

test.each([
  [
    jwt({ realm_access: { roles: ['builder', 'offline_access', 'default-roles-zerto', 'uma_authorization'] } }),
    ['builder'],
  ],
  [jwt({ resource_access: { zvm: { roles: ['viewer'] } } }), ['viewer']],
  [jwt({ sub: 'x' }), undefined],
  ['opaque', undefined],
  ['a.b.c', undefined],
  [`a.${Buffer.from('{"realm_access":1}').toString('base64url')}.c`, undefined],
])('roles of the token %#', (token, roles) => {
  expect(rolesOf(token)).toEqual(roles);
});

test.each([
  [['admin'], 'pass'],
  [['builder', 'file-level-restore operator'], 'pass'],
  [['builder'], 'warn'],
  [['viewer'], 'warn'],
  [[], 'warn'],
  [undefined, 'skip'],
] as const)('roles %j: %s', (roles, status) => {
  expect(rolesCheck('site-a', roles).status).toBe(status);
});
