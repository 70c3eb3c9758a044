import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { secretVariables } from '../../src/config/config.js';
import { configFile, loadConfig } from '../../src/config/load.js';
import { configDir } from '../../src/config/paths.js';
import { directory, load, problems, site } from './support.js';

const DEFAULTS = {
  mcpServers: {},
  targets: {},
  domains: [],
  exempt: [],
  mode: 'enforce',
  policy: { unknown: 'ask', nobodyAnswers: 'pin', unresolved: 'ask', unprotected: 'ask', maxVmsPerCall: 10 },
  guard: {
    timeoutSeconds: null,
    answerWithinSeconds: 45,
    reuseSeconds: 0,
    holdSeconds: 5,
    maxTagsPerVpgPerHour: 120,
    trustCloudTags: false,
  },
  classifier: { commands: {}, tools: {} },
  ansible: { inventorySnapshot: null, allowExecutableInventory: false },
  recovery: { maxRecoverBytes: 1048576, confirm: 'human', scope: 'receipts', denyPaths: [], allowPaths: [] },
  audit: { dir: null, level: 'all', retentionDays: null, maxFileMiB: 64, headEvery: 256, headsTo: null },
};

test('an empty file means the defaults, and no appliance', async () => {
  const config = await load({});
  expect(config).toMatchObject(DEFAULTS);
  expect(config.zvm).toBeUndefined();
});

test('no file at the usual place is an empty config; a file that is named must be there', async () => {
  const home = await directory();
  const surroundings = { env: {}, platform: process.platform, home };
  expect(await loadConfig(surroundings)).toMatchObject(DEFAULTS);
  const gone = join(home, 'gone.json');
  await expect(loadConfig({ ...surroundings, file: gone })).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    message: expect.stringContaining('gone.json'),
  });
  await expect(loadConfig({ ...surroundings, env: { ZERTO_REWIND_CONFIG: gone } })).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
  });
  await expect(loadConfig({ ...surroundings, file: home })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
});

test('the named file comes before the variable, the variable before the usual place, and the current directory never', async () => {
  const home = await directory();
  const usual = join(configDir({ env: {}, platform: process.platform, home }), 'proxy.config.json');
  const other = join(home, 'other.json');
  await mkdir(dirname(usual), { recursive: true });
  await writeFile(usual, '{"agent":"usual"}');
  await writeFile(other, '{"agent":"other"}');
  const surroundings = { platform: process.platform, home };
  expect((await loadConfig({ ...surroundings, env: {} })).agent).toBe('usual');
  expect((await loadConfig({ ...surroundings, env: { ZERTO_REWIND_CONFIG: other } })).agent).toBe('other');
  expect((await loadConfig({ ...surroundings, env: { ZERTO_REWIND_CONFIG: other }, file: usual })).agent).toBe('usual');
  expect(() => configFile({ ...surroundings, env: { ZERTO_REWIND_CONFIG: 'proxy.config.json' } })).toThrow(/absolute/);
});

test('comments, trailing commas, a BOM and CRLF are read', async () => {
  const config = await load(
    '\uFEFF// one\r\n{\r\n  /* two */ "agent": "a",\r\n  "targets": { "web1": "app01", },\r\n}\r\n',
  );
  expect(config).toMatchObject({ agent: 'a', targets: { web1: 'app01' } });
});

test('the whole of the documented file is read', async () => {
  const config = await load(
    {
      $schema: './proxy.config.schema.json',
      version: 1,
      zvm: {
        sites: [
          site({ tls: { fingerprint256: Array(32).fill('ab').join(':') } }),
          {
            name: 'site-b',
            url: 'https://10.0.0.9:9669',
            auth: { grant: 'client_credentials', clientId: 'c', clientSecretFile: 's' },
            tls: { caFile: 'ca.pem' },
          },
          site({ name: 'site-c', tls: { verify: false } }),
        ],
      },
      mcpServers: {
        ssh: {
          command: 'npx',
          args: ['-y', 'ssh-mcp@2.11.0'],
          env: { A: 'b' },
          family: 'ssh',
          shell: 'bash',
          target: 'app01',
        },
        far: {
          type: 'http',
          url: 'https://mcp.example/mcp',
          headers: { 'X-A': 'b' },
          headersEnv: { Authorization: 'FAR_TOKEN' },
        },
        old: { type: 'sse', url: 'https://mcp.example/sse' },
        win: { family: 'winrm' },
      },
      targets: { web1: 'app01', '10.0.0.5': { vmIdentifier: 'x' } },
      exempt: [{ hosts: ['lab-*', '10.9.0.0/16', 'fd00::/8'], reason: 'lab' }],
      classifier: {
        commands: { frob: { effect: 'read_only', why: 'shows', examples: { read_only: ['frob -l'] } } },
        tools: {
          look: {
            roles: { what: 'option' },
            effect: 'read_only',
            why: 'looks',
            examples: [{ arguments: { what: 'x' }, effect: 'read_only' }],
          },
        },
      },
      audit: { dir: 'audit', retentionDays: 30, headsTo: 'heads.jsonl' },
    },
    { secrets: 'later' },
  );
  if (config.zvm?.kind !== 'sites' || config.file === undefined) throw new Error('no sites');
  const base = dirname(config.file);
  expect(config.zvm.sites.map((one) => one.tls)).toEqual([
    { kind: 'fingerprint', fingerprint256: Array(32).fill('AB').join(':') },
    { kind: 'caFile', caFile: join(base, 'ca.pem') },
    { kind: 'off' },
  ]);
  expect(config.zvm.sites[0].auth).toMatchObject({ clientId: 'zerto-client', username: 'rewind' });
  expect(config.mcpServers['ssh']).toEqual({
    name: 'ssh',
    start: { kind: 'command', command: 'npx', args: ['-y', 'ssh-mcp@2.11.0'], env: { A: 'b' }, cwd: undefined },
    family: 'ssh',
    shell: 'bash',
    target: 'app01',
  });
  expect(config.mcpServers['old']?.start).toMatchObject({ kind: 'url', transport: 'sse' });
  expect(config.mcpServers['win']?.start).toMatchObject({ kind: 'settings' });
  expect(config.audit.dir).toBe(join(base, 'audit'));
  expect(secretVariables(config)).toEqual(['ZVM_PASSWORD', 'FAR_TOKEN']);
});

test('secrets are fetched when needed and stand in nothing that is printed', async () => {
  const dir = await directory();
  await writeFile(join(dir, 'secret'), '\uFEFFfrom-file\r\n');
  const env: Record<string, string> = { ZVM_PASSWORD: 'from-variable', FAR_TOKEN: 'Bearer from-token' };
  const config = await load(
    {
      zvm: {
        sites: [
          site(),
          site({ name: 'b', auth: { grant: 'password', username: 'u', password: 'from-config' } }),
          site({
            name: 'c',
            auth: { grant: 'client_credentials', clientId: 'c', clientSecretFile: join(dir, 'secret') },
          }),
        ],
      },
      mcpServers: {
        far: {
          url: 'https://mcp.example',
          headers: { 'X-Key': 'from-header' },
          headersEnv: { Authorization: 'FAR_TOKEN' },
        },
      },
    },
    { env },
  );
  const printed = `${JSON.stringify(config)} ${inspect(config, { depth: 20, showHidden: true })}`;
  for (const secret of ['from-variable', 'from-config', 'from-file', 'from-token', 'from-header'])
    expect(printed).not.toContain(secret);
  if (config.zvm?.kind !== 'sites') throw new Error('no sites');
  const fetched = await Promise.all(
    config.zvm.sites.map(({ auth }) => (auth.grant === 'password' ? auth.password() : auth.clientSecret())),
  );
  expect(fetched).toEqual(['from-variable', 'from-config', 'from-file']);
  const far = config.mcpServers['far']?.start;
  expect(far?.kind === 'url' && (await far.headers())).toEqual({
    'X-Key': 'from-header',
    Authorization: 'Bearer from-token',
  });
  env['ZVM_PASSWORD'] = 'changed';
  const [first] = config.zvm.sites;
  expect(first.auth.grant === 'password' && (await first.auth.password())).toBe('changed');
});

test('a secret that is not there names its place to the operator, not to the agent', async () => {
  const config = await load(
    {
      zvm: {
        sites: [
          site(),
          site({ name: 'b', auth: { grant: 'client_credentials', clientId: 'c', clientSecretFile: 'gone' } }),
        ],
      },
    },
    { secrets: 'later', env: {} },
  );
  if (config.zvm?.kind !== 'sites') throw new Error('no sites');
  for (const { auth } of config.zvm.sites) {
    const error = await (auth.grant === 'password' ? auth.password() : auth.clientSecret()).catch(
      (rejected: unknown) => rejected,
    );
    expect(error).toMatchObject({
      code: 'CONFIG_INVALID',
      details: { problem: expect.stringMatching(/ZVM_PASSWORD|gone/) },
    });
    expect((error as Error).message).not.toMatch(/ZVM_PASSWORD|gone|site/);
  }
});

test('a file that is not UTF-8 is said to be so', async () => {
  expect(await problems(Buffer.from('\uFEFF{}', 'utf16le'))).toEqual(['the file is not UTF-8; save it as UTF-8']);
});

test('a secret that is not there is noticed when the config is loaded, by its path and its variable or file', async () => {
  const content = {
    zvm: {
      sites: [
        site(),
        site({ name: 'b', auth: { grant: 'client_credentials', clientId: 'c', clientSecretEnv: 'EMPTY' } }),
        site({ name: 'c', auth: { grant: 'password', username: 'u', passwordFile: 'gone' } }),
        site({ name: 'd', auth: { grant: 'password', username: 'u', password: 'in the file' } }),
      ],
    },
    mcpServers: { far: { url: 'https://mcp.example', headersEnv: { Authorization: 'FAR_TOKEN' } } },
  };
  const error = (await load(content, { env: { EMPTY: '' } }).catch((rejected: unknown) => rejected)) as Error;
  expect(error).toMatchObject({ code: 'CONFIG_INVALID' });
  expect(error.message.split('\n').filter((line) => line.startsWith('  '))).toEqual([
    '  zvm.sites[0].auth.passwordEnv: the environment variable ZVM_PASSWORD is not set where the proxy is started',
    '  zvm.sites[1].auth.clientSecretEnv: the environment variable EMPTY is not set where the proxy is started',
    expect.stringMatching(/^ {2}zvm\.sites\[2\]\.auth\.passwordFile: .*gone.* cannot be read \(ENOENT\)$/),
    '  mcpServers.far.headersEnv.Authorization: the environment variable FAR_TOKEN is not set where the proxy is started',
  ]);
  await load(content, { env: {}, secrets: 'later' });
  const { mcpServers } = content;
  await load({ mcpServers: { ...mcpServers, near: { command: 'x' } } }, { env: {} });
  await expect(load({ mcpServers: { ...mcpServers, near: { family: 'ssh' } } }, { env: {} })).rejects.toThrow(
    'FAR_TOKEN',
  );
});
