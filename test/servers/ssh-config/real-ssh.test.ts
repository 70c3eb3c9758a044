import { describe, expect, test } from 'vitest';
import { fc } from '../../support/property.js';
import { askSsh, configDir, meaningBy, read, said, whyNoSsh } from './support.js';

const missing = whyNoSsh();
const skipped = missing === undefined ? '' : ` (skipped: ${missing})`;

/** Each configuration with the hosts that both are asked for. */
const TABLE: readonly [title: string, files: Readonly<Record<string, string>>, hosts: readonly string[]][] = [
  ['an empty file', { config: '' }, ['app01', 'APP01', 'root@app01', '10.0.0.5', '::1']],
  ['an alias', { config: 'Host prod\n  HostName 10.0.0.5\n' }, ['prod', 'PROD', 'other']],
  ['the first value wins', { config: 'Host a\nHostName one\nHost *\nHostName two\n' }, ['a', 'b']],
  ['before any Host', { config: 'HostName one\nHost a\nHostName two\n' }, ['a', 'b']],
  ['several patterns', { config: 'Host a b "c d" e*\nHostName x\n' }, ['a', 'b', 'c d', 'e', 'e1', 'f']],
  ['question marks', { config: 'Host web??\nHostName %h.corp\n' }, ['web01', 'web1', 'web001']],
  ['a negation behind', { config: 'Host web* !web07\nHostName x\n' }, ['web01', 'web07']],
  ['a negation in front', { config: 'Host !web07 web*\nHostName x\n' }, ['web01', 'web07']],
  ['nothing but a negation', { config: 'Host !web07\nHostName x\n' }, ['web01', 'web07']],
  ['tokens', { config: 'Host *\nHostName %h.%%x\n' }, ['a', 'A']],
  ['a token that ssh does not know', { config: 'Host *\nHostName %h.%p\n' }, ['a']],
  ['an equals sign', { config: 'Host=a\nHostName = x\nPort=2201\n' }, ['a']],
  ['tabs, case, comments', { config: '# c\n\tHOST\ta # b\n\thostname\tx # y\n' }, ['a', 'b', '#', 'y']],
  ['carriage returns', { config: 'Host a\r\n  HostName x\r\n  Port 2201\r\n' }, ['a', 'b']],
  ['quotes', { config: 'Host "a"\nHostName "x"\n"Port" "2201"\n' }, ['a']],
  ['a quote that stays open', { config: 'Host a\nHostName "x\n' }, ['a']],
  ['more words than one', { config: 'Host a\nHostName x y\n' }, ['a']],
  ['a host name without a value', { config: 'Host a\nHostName\n' }, ['a']],
  ['jump hosts', { config: 'Host a\nHostName 10.0.0.5\nProxyJump me@bastion:2222,second\n' }, ['a']],
  ['no jump host', { config: 'Host a\nProxyJump none\nHost *\nProxyJump b\n' }, ['a', 'c']],
  ['a jump host for all but itself', { config: 'Host * !bastion\nProxyJump bastion\n' }, ['a', 'bastion']],
  ['no command before a jump host', { config: 'ProxyCommand none\nProxyJump b\n' }, ['a']],
  ['Match all', { config: 'Match all\nHostName x\n' }, ['a']],
  ['Match originalhost', { config: 'Host a\nHostName x\nMatch originalhost a,b\nPort 2201\n' }, ['a', 'b', 'x', 'A']],
  ['Match host sees HostName', { config: 'Host a\nHostName x\nMatch host x\nPort 2201\n' }, ['a', 'x', 'X', 'b']],
  ['Match host before HostName', { config: 'Match host x\nPort 2201\nHost a\nHostName x\n' }, ['a', 'x']],
  ['Match host with a token', { config: 'Host a\nHostName %h.x\nMatch host a.x\nPort 2201\n' }, ['a']],
  ['Match with a negated pattern', { config: 'Match host *,!b\nHostName x\n' }, ['a', 'b']],
  ['a negated Match', { config: 'Match !host b\nHostName x\n' }, ['a', 'b']],
  ['two criteria', { config: 'Match originalhost a host a\nHostName x\n' }, ['a', 'b']],
  ['one that is false and one that would run', { config: 'Match host b exec "false"\nHostName x\n' }, ['a']],
  ['Match canonical', { config: 'Match canonical\nHostName x\n' }, ['a']],
  ['Match with an equals sign', { config: 'Match host=a\nHostName x\n' }, ['a', 'b']],
  ['Include', { config: 'Include @/one\nHost *\nHostName two\n', one: 'Host a\nHostName one\n' }, ['a', 'b']],
  [
    'Include of several',
    { config: 'Include @/one @/two\n', one: 'Host a\nPort 1\n', two: 'Host *\nPort 2\n' },
    ['a', 'b'],
  ],
  [
    'Include by pattern, in order',
    {
      config: 'Include @/d/*.conf\n',
      'd/2.conf': 'HostName two\n',
      'd/10.conf': 'HostName ten\n',
      'd/.x.conf': 'Port 9\n',
    },
    ['a'],
  ],
  ['Include of nothing', { config: 'Include @/none/*\nInclude @/none\nHostName x\n' }, ['a']],
  [
    'Include inside a Host',
    { config: 'Host a\nInclude @/i\nHost *\nPort 2\n', i: 'HostName x\nHost b\nPort 9\n' },
    ['a', 'b'],
  ],
  [
    'what follows an Include belongs to the Host before it',
    { config: 'Host a\nInclude @/i\nHostName y\n', i: 'Host b\nPort 9\n' },
    ['a', 'b'],
  ],
  [
    'a Host in an Include that does not count',
    { config: 'Host z\nInclude @/i\n', i: 'Host a\nHostName x\n' },
    ['a', 'z'],
  ],
  ['an Include in an Include', { config: 'Include @/i\n', i: 'Host a\nInclude @/j\n', j: 'HostName x\n' }, ['a', 'b']],
  ['an Include of itself', { config: 'Include @/config\n' }, ['a']],
  ['a port', { config: 'Host a\nPort 2201\nHost *\nPort 2202\n' }, ['a', 'b']],
  ['IPv6', { config: 'Host a\nHostName 2001:DB8::5\nHost 2001:*\nPort 2201\n' }, ['a', '2001:db8::5']],
  ['an URL', { config: 'Host a\nHostName x\nPort 2201\n' }, ['ssh://root@a', 'ssh://a:2222', 'ssh://a']],
  ['an unknown keyword', { config: 'Nonsense yes\nHostName x\n' }, ['a']],
];

describe.skipIf(missing !== undefined)(`the same as ssh -G${skipped}`, () => {
  test.each(TABLE)('%s', async (_, files, hosts) => {
    const { main, remove } = configDir(files);
    try {
      for (const host of hosts) {
        const real = await askSsh(main, host);
        const mine = read(await meaningBy(main, host));
        // Where ssh(1) refuses, nothing runs: any answer but its own machine's is right.
        if (real !== undefined) expect(mine, host).toBe(said(real));
      }
    } finally {
      remove();
    }
  });

  test('any configuration of these parts: the same host, or a stop', async () => {
    const pattern = fc.constantFrom('a', 'b', 'web*', '?', '!a', '!web1', 'x', '*', '"a"');
    const list = fc.constantFrom('a', 'a,b', '*', '!a,*', 'x', 'web*,!web1');
    const value = fc.constantFrom('x', 'y', '%h', '%h.x', 'a', '"y"', '10.0.0.5');
    const line = fc.oneof(
      { weight: 3, arbitrary: fc.array(pattern, { minLength: 1, maxLength: 3 }).map((all) => `Host ${all.join(' ')}`) },
      { weight: 4, arbitrary: value.map((host) => `  HostName ${host}`) },
      fc.constantFrom('Port 2201', 'Port=2202', '# note', '', 'User u', 'ProxyJump j', 'ProxyJump none'),
      fc.tuple(fc.constantFrom('host', 'originalhost', '!host'), list).map((all) => `Match ${all.join(' ')}`),
      fc.constantFrom('Match all', 'Match exec true', 'Match user nobody', 'Include @/more', 'Include @/m*'),
    );
    const file = fc.array(line, { maxLength: 12 }).map((lines) => `${lines.join('\n')}\n`);
    let judged = 0;
    let total = 0;
    await fc.assert(
      fc.asyncProperty(file, file, fc.constantFrom('a', 'b', 'web1', 'web2', 'x', 'A'), async (config, more, host) => {
        const { main, remove } = configDir({ config, more: more.replaceAll('Include', '#') });
        try {
          const real = await askSsh(main, host);
          const mine = read(await meaningBy(main, host));
          total += 1;
          if (mine.startsWith('stop') || real === undefined) return;
          judged += 1;
          expect(mine).toBe(said(real));
        } finally {
          remove();
        }
      }),
      { numRuns: 150 },
    );
    expect(judged).toBeGreaterThan(total / 2);
  }, 60_000);
});
