import { expect, test } from 'vitest';
import { parseConfigFile } from '../../src/config/problems.js';
import { fc } from '../support/property.js';
import { load, problems, site } from './support.js';

test('an unknown key is named with its path, its place and the nearest known key', async () => {
  expect(await problems('{\n  "mcpServer": {}\n}')).toEqual([
    'mcpServer: unknown key; did you mean "mcpServers"? (line 2, column 3)',
  ]);
  expect(await problems('{"guard":{"reuseSecond":1}}')).toEqual([
    'guard.reuseSecond: unknown key; did you mean "reuseSeconds"? (line 1, column 11)',
  ]);
  expect(await problems('{"policy":{"Unknown":"ask"}}')).toEqual([
    'policy.Unknown: unknown key; did you mean "unknown"? (line 1, column 12)',
  ]);
  expect(await problems({ zvm: { sites: [site({ tls: { fingerprint: 'x' } })] } })).toEqual([
    expect.stringContaining('zvm.sites[0].tls.fingerprint: unknown key; did you mean "fingerprint256"?'),
  ]);
  expect(await problems({ zvm: { site: [] } })).toEqual(
    expect.arrayContaining([expect.stringContaining('zvm.site: unknown key; did you mean "sites"?')]),
  );
  expect(
    await problems({
      zvm: { sites: [site({ auth: { grant: 'password', username: 'u', passwordEnvironment: 'X' } })] },
    }),
  ).toEqual(expect.arrayContaining([expect.stringContaining('did you mean "passwordEnv"?')]));
  expect(await problems({ mcpServers: { 'a.b': { comand: 'x' } } })).toEqual([
    expect.stringContaining('mcpServers["a.b"].comand: unknown key; did you mean "command"?'),
  ]);
  expect(await problems({ completelyDifferent: 1 })).toEqual([
    expect.stringContaining('completelyDifferent: unknown key; the nearest known key is'),
  ]);
});

test('all problems are listed at once, each with its place', async () => {
  const listed = await problems(
    '{\n  "mode": "loose",\n  "policy": { "maxVmsPerCall": 0 },\r\n  "foo": 1,\n  "audit": { "level": 3 }\n}',
  );
  expect(listed).toHaveLength(4);
  for (const part of ['mode: ', 'policy.maxVmsPerCall: ', 'foo: unknown key', 'audit.level: '])
    expect(listed.join('\n')).toContain(part);
  for (const line of ['line 2,', 'line 3,', 'line 4,', 'line 5,']) expect(listed.join('\n')).toContain(line);
});

test.each([
  [
    'two ways to give a password',
    { zvm: { sites: [site({ auth: { grant: 'password', username: 'u', password: 'x', passwordEnv: 'Y' } })] } },
    'exactly one of password, passwordEnv, passwordFile',
  ],
  [
    'no way to give a password',
    { zvm: { sites: [site({ auth: { grant: 'password', username: 'u' } })] } },
    'exactly one of',
  ],
  [
    'a secret of the other grant',
    { zvm: { sites: [site({ auth: { grant: 'password', username: 'u', clientSecretEnv: 'X' } })] } },
    'unknown key',
  ],
  ['no such grant', { zvm: { sites: [site({ auth: { grant: 'implicit' } })] } }, 'zvm.sites[0].auth'],
  ['http', { zvm: { sites: [site({ url: 'http://zvm.example' })] } }, 'expected https://HOST'],
  ['a login in the url', { zvm: { sites: [site({ url: 'https://u:p@zvm.example' })] } }, 'expected https://HOST'],
  ['a path in the url', { zvm: { sites: [site({ url: 'https://zvm.example/v1' })] } }, 'expected https://HOST'],
  [
    'two kinds of trust',
    { zvm: { sites: [site({ tls: { caFile: 'x', fingerprint256: 'ab'.repeat(32) } })] } },
    'only one of',
  ],
  ['trust that is not checked', { zvm: { sites: [site({ tls: { caFile: 'x', verify: false } })] } }, 'contradicts'],
  ['a short fingerprint', { zvm: { sites: [site({ tls: { fingerprint256: 'ab:cd' } })] } }, '32 bytes'],
  [
    'the placeholder of a fingerprint',
    { zvm: { sites: [site({ tls: { fingerprint256: 'AA:BB:…' } })] } },
    'take this key out, then "zerto-rewind-proxy doctor" shows',
  ],
  ['two sites of one name', { zvm: { sites: [site(), site({ name: 'SITE-A' })] } }, 'two entries'],
  ['no site', { zvm: { sites: [] } }, 'zvm.sites'],
  ['another word for the appliance', { zvm: 'simulated' }, 'zvm'],
  [
    'a server with command and url',
    { mcpServers: { a: { command: 'x', url: 'https://y' } } },
    'only one of command, url',
  ],
  ['a server with a url of another kind', { mcpServers: { a: { url: 'file:///etc/passwd' } } }, 'mcpServers.a.url'],
  ['two targets that differ in case', { targets: { Web: 'a', web: 'b' } }, 'two entries'],
  ['a network that is none', { exempt: [{ hosts: ['10.9.0.0/33'], reason: 'x' }] }, 'expected a network'],
  ['an exemption without a reason', { exempt: [{ hosts: ['a'], reason: '' }] }, 'exempt[0].reason'],
  ['a rule without examples', { classifier: { tools: { t: { roles: {} } } } }, 'classifier.tools.t.examples'],
  [
    'a role that is none',
    { classifier: { tools: { t: { roles: { a: 'commando' }, examples: [{ arguments: {}, effect: 'unknown' }] } } } },
    'classifier.tools.t.roles.a',
  ],
  ['another version', { version: 2 }, 'version'],
  ['a list', [], 'must be an object'],
  ['null', null, 'must be an object'],
  ['an empty file', '', 'expected'],
  ['a file of comments', '// nothing', 'expected'],
  ['args that are no list', { mcpServers: { ssh: { args: 'x' } } }, 'mcpServers.ssh.args: must be a list of texts'],
  [
    'an argument that is no text',
    { mcpServers: { ssh: { args: ['x', 1] } } },
    'mcpServers.ssh.args[1]: must be a text',
  ],
  ['a word that is none of some', { mode: 'loose' }, 'mode: must be one of enforce, observe'],
  ['a number that is too small', { policy: { maxVmsPerCall: 0 } }, 'policy.maxVmsPerCall: must be more than 0'],
  ['a number that is too large', { guard: { holdSeconds: 601 } }, 'guard.holdSeconds: must be at most 600'],
  ['part of a number', { policy: { maxVmsPerCall: 1.5 } }, 'policy.maxVmsPerCall: must be a whole number'],
  ['a flag that is a text', { guard: { trustCloudTags: 'yes' } }, 'guard.trustCloudTags: must be true or false'],
  ['an empty text', { agent: '' }, 'agent: must not be empty'],
  ['a number or null', { guard: { timeoutSeconds: 'x' } }, 'guard.timeoutSeconds: must be a number or null'],
  ['a VM that is a number', { targets: { web: 5 } }, 'targets.web: must be a text or an object'],
  ['another appliance', { zvm: 5 }, 'zvm: must be "simulator" or an object'],
  ['no grant', { zvm: { sites: [site({ auth: {} })] } }, 'must be "password" or "client_credentials"'],
  [
    'no user',
    { zvm: { sites: [site({ auth: { grant: 'password', password: 'x' } })] } },
    'username: is missing; it must be a text',
  ],
  ['no url', { mcpServers: { far: { url: 'far' } } }, 'mcpServers.far.url: must be an http or https URL'],
  ['text', 'hello', 'line 1'],
  ['an unfinished file', '{"mode":', 'line 1'],
  ['two values', '{}{}', 'line 1'],
  ['a key twice', '{"mode":"observe","mode":"enforce"}', 'mode: the key is given twice (line 1, column 19)'],
  ['a key twice by an escape', '{"mode":"observe","mod\\u0065":"enforce"}', 'the key is given twice'],
  ['__proto__', '{"__proto__":{"mode":"observe"}}', '"__proto__" is not allowed'],
  ['__proto__ below', '{"mcpServers":{"__proto__":{"command":"x"}}}', '"__proto__" is not allowed'],
  ['constructor', '{"constructor":{}}', 'unknown key'],
])('%s is refused', async (_, content, expected) => {
  expect((await problems(content)).join('\n')).toContain(expected);
});

test('no value of the file is repeated in an error', async () => {
  const listed = await problems({
    zvm: {
      sites: [
        site({
          url: 'https://u:hunter2@x',
          auth: { grant: 'password', username: 5, password: ['hunter2'], passwordFile: 'x' },
        }),
      ],
    },
  });
  expect(listed.length).toBeGreaterThan(0);
  expect(listed.join('\n')).not.toContain('hunter2');
});

test('names that objects inherit are ordinary names', async () => {
  const config = await load({
    mcpServers: { constructor: { command: 'x' }, toString: { command: 'y' } },
    targets: { hasOwnProperty: 'app01' },
  });
  expect(Object.keys(config.mcpServers)).toEqual(['constructor', 'toString']);
  expect(config.targets).toEqual({ hasOwnProperty: 'app01' });
});

test('audit.redact takes words with wildcards: what would stand for everything, for nothing or without bound is refused', async () => {
  const of = (redact: object) => ({ audit: { redact } });
  const good = { arguments: ['pin_code', '*_lizenz', '(a+)+$'], words: ['ACME-*', '*aaa*aaa*aaa*aaa*b', '^ACME$'] };
  expect((await load(of(good))).audit.redact).toEqual(good);
  const three = 'at least three characters in a row that are no wildcard';
  for (const [redact, where, why] of [
    [{ words: ['*'] }, 'audit.redact.words[0]', three],
    [{ words: ['ok-ok', '?a*b?'] }, 'audit.redact.words[1]', three],
    [{ words: ['two words'] }, 'audit.redact.words[0]', 'one word'],
    [{ arguments: ['**'] }, 'audit.redact.arguments[0]', three],
    [{ arguments: [''] }, 'audit.redact.arguments[0]', three],
    [{ words: ['(a+)+$'] }, 'audit.redact.words[0]', 'no word holds quotes, brackets'],
    [{ words: ['KEY=*'] }, 'audit.redact.words[0]', 'no word holds quotes, brackets'],
    [{ words: ['a'.repeat(201)] }, 'audit.redact.words[0]', '200'],
    [{ arguments: Array.from({ length: 101 }, (_, at) => `name${at}`) }, 'audit.redact.arguments', '100'],
    [{ arguments: 'pin_code' }, 'audit.redact.arguments', 'list of texts'],
    [{ words: [7] }, 'audit.redact.words[0]', 'text'],
    [{ patterns: ['abc'] }, 'audit.redact.patterns', 'unknown key'],
  ] as const) {
    const listed = (await problems(of(redact))).join('\n');
    expect(listed).toContain(`${where}: `);
    expect(listed).toContain(why);
  }
});

test('whatever a file holds, it is read or refused with CONFIG_INVALID, in plain words', () => {
  const refused = (text: string) => {
    try {
      parseConfigFile(text, 'f');
      return true;
    } catch (error) {
      const { code, message } = error as { code?: string; message: string };
      return (
        code === 'CONFIG_INVALID' &&
        !/invalid (input|option)|received|too (small|big):|expected (string|array|object|number|record)/i.test(message)
      );
    }
  };
  fc.assert(fc.property(fc.string({ unit: 'binary' }), refused));
  fc.assert(fc.property(fc.string({ unit: fc.constantFrom(...'{}[]":,/*\\\n\r 0aé'.split('')) }), refused));
  fc.assert(fc.property(fc.jsonValue(), (value) => refused(JSON.stringify(value))));
  const keys = fc.constantFrom(
    'zvm',
    'sites',
    'mcpServers',
    'targets',
    'policy',
    'guard',
    'exempt',
    'auth',
    'x',
    '__proto__',
  );
  const tree = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<unknown>(1, 'x', null, true),
      fc.array(tie('node')),
      fc.dictionary(keys, tie('node')),
    ),
  })).node;
  fc.assert(fc.property(tree, (value) => refused(JSON.stringify(value))));
  expect(refused('['.repeat(200_000))).toBe(true);
  expect(refused(`{"zvm":${'{"sites":'.repeat(5_000)}1${'}'.repeat(5_001)}`)).toBe(true);
});
