import { expect, test } from 'vitest';
import { openServerConfigs } from '../../src/servers/index.js';
import { readText } from '../../src/servers/read-text.js';
import { placesOf } from '../../src/servers/ssh-config/index.js';
import { namedHosts } from '../../src/servers/ssh-config/named-hosts.js';
import { fc } from '../support/property.js';
import { makeHome } from './support.js';

const list = async (command: readonly string[], home: string) => {
  const configs = openServerConfigs({ platform: process.platform, home, cwd: home, env: process.env });
  const server = { name: 'it' };
  const [program = '', ...args] = command;
  configs.starting(server, { command: program, args, env: { HOME: home, XDG_CONFIG_HOME: `${home}/.config` } });
  return configs.list(server);
};

test('the hosts that an ssh configuration names, without its patterns, through includes and loops', async () => {
  const home = makeHome({
    '.ssh/config':
      'Host web1 web2 *.lab !web3\n  HostName 10.0.0.1\nInclude conf.d/*\nInclude config\nhost="db one"\n# Host no\n',
    '.ssh/conf.d/a': 'Host app1\n Include ~/.ssh/deeper\n',
    '.ssh/deeper': 'Host deep1 "unclosed\nHost deep2\nMatch host x\n',
  });
  const places = { ...placesOf('linux', home.dir, {}, readText), systemDir: `${home.dir}/nowhere` };
  expect(await namedHosts(places)).toEqual(['web1', 'web2', 'db one', 'app1', 'deep2']);
  if (process.platform === 'linux')
    expect(await list(['npx', '-y', '@aiondadotcom/mcp-ssh'], home.dir)).toEqual(
      expect.arrayContaining(['web1', 'deep2']),
    );
  home.remove();
});

test('whatever stands in the file, it is read or passed over', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.string(), fc.constantFrom('Host a', 'Include config', 'Include /')), { maxLength: 8 }),
      async (lines) => {
        const text = lines.join('\n');
        const file = async () => ({ kind: 'text', text }) as const;
        const found = await namedHosts({ ...placesOf('linux', '/h', {}, file), list: async () => [] });
        return found.every((name) => name !== '' && !/[*?!]/.test(name));
      },
    ),
    { numRuns: 50 },
  );
});

test('profiles of ssh-mcp, and nothing of a server that is not known', async () => {
  const home = makeHome({
    '.config/ssh-mcp/config.toml': '[[profiles]]\nname = "a"\nhost = "10.0.0.5"\nuser = "u"\n',
  });
  if (process.platform === 'linux') expect(await list(['npx', '-y', 'ssh-mcp@2.11.0'], home.dir)).toEqual(['a']);
  expect(await list(['some-server'], home.dir)).toBeUndefined();
  home.remove();
});
