import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ServerStart } from '../../src/servers/index.js';
import { programOf } from '../support/real-servers.js';
import { type SshVms, startSshVms, whyNoSshd } from '../support/sshd.js';
import { ask, makeHome, shown, startReal } from './support.js';

const missing = await whyNoSshd();
const skipped = missing === undefined ? '' : ` (skipped: ${missing})`;

const profile = (name: string, host: string, port = 22, more = '') =>
  `[[profiles]]\nname = "${name}"\nhost = "${host}"\nport = ${port}\nuser = "u"\n${more}`;
const at = (home: string, args: readonly string[] = [], env: Record<string, string> = {}): ServerStart => ({
  command: 'npx',
  args: ['-y', 'ssh-mcp@2.11.0', ...args],
  env: { HOME: home, ...env },
});

test('profiles by name; without one the default, or the only one', async () => {
  const home = makeHome({
    'two/ssh-mcp/config.toml': `[defaults]\ndefaultProfile = "b"\n${profile('a', '10.0.0.5')}${profile('b', '10.0.0.6', 2222, 'via = "a"\n')}`,
    'one/ssh-mcp/config.toml': profile('a', '10.0.0.5'),
    'none/ssh-mcp/config.toml': `${profile('a', '10.0.0.5')}${profile('b', '10.0.0.6')}`,
  });
  const of = (name: string) => ask(at(home.dir, [], { XDG_CONFIG_HOME: `${home.dir}/${name}` }), home.dir);
  const two = of('two');
  expect(shown(await two.meaning('a'))).toBe('a=10.0.0.5:22');
  expect(shown(await two.meaning('b'))).toBe('b=10.0.0.6:2222 via 10.0.0.5');
  expect(shown(await two.meaning(''))).toBe('b=10.0.0.6:2222 via 10.0.0.5');
  expect(await two.meaning('A')).toMatchObject({ kind: 'stop', found: ['a', 'b'] });
  expect(shown(await of('one').meaning(''))).toBe('a=10.0.0.5:22');
  expect(await of('none').meaning('')).toMatchObject({ kind: 'stop', found: ['a', 'b'] });
  expect(shown(await of('missing').meaning('a'))).toBe('as_written');
  home.remove();
});

test('where the file lies: the command line, then the platform’s place; without a file the host of the command line', async () => {
  const home = makeHome({
    'own.toml': profile('a', '10.0.0.5'),
    '.config/ssh-mcp/config.toml': profile('a', '10.0.0.6'),
  });
  const bare = makeHome();
  expect(shown(await ask(at(home.dir, ['--config=own.toml']), home.dir).meaning(''))).toBe('a=10.0.0.5:22');
  if (process.platform === 'linux')
    expect(shown(await ask(at(home.dir), '/nowhere').meaning(''))).toBe('a=10.0.0.6:22');
  const quick = ['--host=10.0.0.7', '--port=2201', '--user=u'];
  expect(shown(await ask(at(bare.dir, quick), bare.dir).meaning(''))).toBe('default=10.0.0.7:2201');
  expect(shown(await ask(at(bare.dir, ['--config', 'own.toml']), bare.dir).meaning(''))).toBe('stop');
  home.remove();
  bare.remove();
});

test('it reads its file once: a profile that changed since may be either machine', async () => {
  const home = makeHome({ 'own.toml': profile('a', '10.0.0.5') });
  const server = ask(at(home.dir, ['--config=own.toml']), home.dir);
  expect(shown(await server.meaning('a'))).toBe('a=10.0.0.5:22');
  home.write('own.toml', `${profile('a', '10.0.0.6')}${profile('b', '10.0.0.8')}`);
  expect(await server.meaning('a')).toMatchObject({ kind: 'stop', found: ['a at 10.0.0.6:22', 'a at 10.0.0.5:22'] });
  expect(shown(await server.meaning('b'))).toBe('b=10.0.0.8:22');
  // Back to what it was started with, it is still not known which of the two it has read.
  home.write('own.toml', profile('a', '10.0.0.5'));
  expect(shown(await server.meaning('a'))).toBe('stop');
  home.remove();
});

test('a file that it does not start with, or that cannot be read, is a stop without its content', async () => {
  for (const text of ['profiles = "secret"', '[[profiles]]\nname = "secret"\n', 'secret secret', '']) {
    const home = makeHome({ 'own.toml': text });
    const meaning = await ask(at(home.dir, ['--config=own.toml']), home.dir).meaning('a');
    expect(meaning.kind).toBe('stop');
    expect(JSON.stringify(meaning)).not.toContain('secret');
    home.remove();
  }
});

test('a server that runs somewhere else, or that calls itself otherwise, is not asked', async () => {
  const home = makeHome({ '.config/ssh-mcp/config.toml': profile('a', '10.0.0.5') });
  const docker = { ...at(home.dir), command: 'docker', args: ['run', '-i', 'ssh-mcp'] };
  expect(shown(await ask(docker, home.dir).meaning('a'))).toBe('as_written');
  const other = { name: 'it', info: { name: 'other', version: '1' } };
  expect(shown(await ask(at(home.dir), home.dir, other).meaning('a'))).toBe('as_written');
  home.remove();
});

describe.skipIf(missing !== undefined)(`the server itself goes to the same machine${skipped}`, () => {
  let ssh: SshVms;
  beforeAll(async () => {
    ssh = await startSshVms(['app01', 'db01']);
  });
  afterAll(() => ssh?.close());

  test('for each profile and for none', async () => {
    const [app, db] = ssh.vms;
    const login = `auth = "key"\nkeyRef = ${JSON.stringify(ssh.key)}\nrole = "admin"\ngroup = "dev"\napprovalPolicy = "auto"\n`;
    const entry = (name: string, vm = app, more = '') =>
      profile(name, vm?.host ?? '', vm?.port, `${login}${more}`).replace('user = "u"', `user = "${ssh.user}"`);
    const home = makeHome({
      'config.toml': `[defaults]\ndefaultProfile = "second"\n${entry('first')}${entry('second', db)}${entry('first', db)}${entry('far', db, 'via = "first"\n')}`,
    });
    const start: ServerStart = {
      command: process.execPath,
      args: [programOf('ssh-mcp'), '--config=config.toml'],
      env: { HOME: home.dir, PATH: process.env['PATH'] },
      cwd: home.dir,
    };
    const asked = ask(start, home.dir);
    const real = await startReal(start);
    try {
      for (const name of ['first', 'second', 'far', '', 'FIRST', 'third']) {
        const meaning = await asked.meaning(name);
        const landed = await real.call('run-command', {
          command: 'printenv VMNAME',
          ...(name !== '' && { profile: name }),
        });
        const machine = meaning.kind === 'machines' ? meaning.machines[0] : undefined;
        const expected = ssh.vms.find((vm) => vm.host === machine?.address && vm.port === machine?.port)?.name;
        if (expected === undefined) expect(landed, name).not.toMatch(/^(app01|db01)/m);
        else expect(landed, name).toContain(expected);
      }
    } finally {
      await real.close();
      home.remove();
    }
  });
});
