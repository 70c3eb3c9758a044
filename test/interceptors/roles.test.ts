import { expect, test } from 'vitest';
import { fc } from '../support/property.js';
import { floor, read, sources } from './support.js';

test('a command beside plain options decides alone', () => {
  const reading = read({ host: 'app01', command: 'ls', cwd: '/var/log', timeout: 30, tty: false, username: 'ops' });
  expect(floor(reading.operations)).toBe('read_only');
  expect(sources(reading.operations)).toEqual(['bash: ls']);
  expect(reading.hosts).toEqual([{ value: 'app01', argument: 'host' }]);
  expect(reading.roles).toEqual({
    host: 'host',
    command: 'command',
    cwd: 'option',
    timeout: 'option',
    tty: 'option',
    username: 'option',
  });
});

test.each([
  ['an argument without a role', { command: 'ls', frobnicate: 'x' }],
  ['a flag without a role', { command: 'ls', force: true }],
  ['a number without a role', { command: 'ls', strength: 3 }],
  ['two names that differ in case', { command: 'ls', Command: 'ls' }],
  ['two names that differ in width', { command: 'ls', ｃommand: 'ls' }],
  ['two names that differ in a long s', { host: 'a', hoſt: 'b', command: 'ls' }],
  ['a name with a letter of another script', { cоmmand: 'rm -rf /', command: 'ls' }],
  ['__proto__', JSON.parse('{"command":"ls","__proto__":"x"}')],
  ['constructor', { command: 'ls', constructor: 'x' }],
  ['two nested names that fold alike', { command: 'ls', connection: { host: 'a', HOST: 'b' } }],
  ['a nested argument without a role', { command: 'ls', connection: { host: 'a', proxy: 'x' } }],
  ['variables for the command', { command: 'ls', env: { LD_PRELOAD: '/tmp/x.so' } }],
  ['input for the command', { command: 'cat', stdin: 'x' }],
  ['a file beside the command', { command: 'ls', output_file: '/etc/passwd' }],
  ['content beside the command', { command: 'ls', content: 'x' }],
  ['a live session', { command: 'ls', session_id: 's1' }],
  ['a command that is a number', { command: 5 }],
  ['a command that is an object', { command: { run: 'ls' } }],
  ['a command that is a list with a number', { command: ['ls', 1] }],
  ['no argument at all', {}],
  ['a blank command', { command: '  ' }],
  ['a command that is null', { command: null }],
])('%s keeps the call from being read_only', (_, args) => {
  expect(floor(read(args).operations)).not.toBe('read_only');
});

const META = [
  ';',
  '&',
  '|',
  '`',
  '$(id)',
  ')',
  '<',
  '>',
  '\n',
  '\r',
  '\0',
  "'",
  '"',
  '\\',
  `\${x}`,
  '{a,b}',
  '!',
  '；',
  '＆',
  '｜',
  '＂',
  '\u2028',
  '\u202e',
  '’',
];
test.each(META)('%j in an argument that is no command keeps the call from being read_only', (meta) => {
  for (const name of ['host', 'cwd', 'username', 'profile', 'encoding', 'timeout']) {
    expect(floor(read({ command: 'ls', [name]: `a${meta}b` }).operations), name).toBe('unknown');
  }
  expect(floor(read({ command: 'ls', hosts: ['a', `b${meta}`] }).operations)).toBe('unknown');
  expect(floor(read({ command: 'ls', connection: { host: `b${meta}` } }).operations)).toBe('unknown');
});

test('a value that starts with a dash is an option to the program that gets it', () => {
  expect(floor(read({ command: 'ls', host: '-oProxyCommand=x' }).operations)).toBe('unknown');
  expect(floor(read({ command: 'ls', host: ' -oProxyCommand=x' }).operations)).toBe('unknown');
  expect(floor(read({ command: 'ls', timeout: '-1' }).operations)).toBe('read_only');
});

test('a description may hold quotes and brackets, but nothing that starts a command', () => {
  expect(floor(read({ command: 'ls', description: "what's in there (all of it)" }).operations)).toBe('read_only');
  expect(floor(read({ command: 'ls', description: 'list; then $(id)' }).operations)).toBe('unknown');
});

test('a password may hold signs, a private key its line ends, but no start of a command', () => {
  const key = '-----BEGIN OPENSSH PRIVATE KEY-----\nAAAAB3Nza+/=\n-----END OPENSSH PRIVATE KEY-----\n';
  expect(floor(read({ command: 'ls', password: 'P@ss!w%rd#1$' }).operations)).toBe('read_only');
  expect(floor(read({ command: 'ls', privateKey: key }).operations)).toBe('read_only');
  expect(floor(read({ command: 'ls', password: 'x; reboot' }).operations)).toBe('unknown');
  expect(floor(read({ command: 'ls', password: "x'" }).operations)).toBe('unknown');
  expect(floor(read({ command: 'ls', privateKey: `${key}; reboot` }).operations)).toBe('unknown');
});

test('a value of a secret appears in no operation; a nested secret hides the whole argument', () => {
  const reading = read({ command: 'ls', password: 'hunter2;x', connection: { host: 'a', password: 'hunter2' } });
  expect(JSON.stringify(reading.operations)).not.toContain('hunter2');
  expect(reading.roles).toMatchObject({ password: 'secret', connection: 'secret' });
  expect(reading.hosts).toEqual([{ value: 'a', argument: 'connection', role: 'host' }]);
});

test('every argument present has a role, whatever it is named', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('command', '__proto__', 'toString', 'host')), fc.jsonValue()),
      (args) => {
        const parsed = JSON.parse(JSON.stringify(args));
        const { roles } = read(parsed);
        expect(Object.keys(roles).sort()).toEqual(Object.keys(parsed).sort());
        expect(Object.values(roles).every((role) => typeof role === 'string')).toBe(true);
      },
    ),
  );
});

test('an argument whose name is not known never goes beside a read_only command', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.jsonValue(), (name, value) => {
      fc.pre(name !== 'command');
      const reading = read({ command: 'ls', [name]: value });
      if (reading.roles[name] === 'unknown') expect(floor(reading.operations)).not.toBe('read_only');
    }),
  );
});

test('a value nested without end is read to a bound and then proves nothing', () => {
  let value: unknown = 'x';
  for (let depth = 0; depth < 50_000; depth += 1) value = depth % 2 === 0 ? [value] : { connection: value };
  expect(floor(read({ command: 'ls', connection: value }).operations)).toBe('unknown');
  expect(floor(read({ command: 'ls', host: value }).operations)).toBe('unknown');
});

test('more nested commands than fit on the stack are all judged', { timeout: 30_000 }, () => {
  const commands = Array.from({ length: 150_000 }, () => ({ command: 'ls' }));
  expect(read({ commands }).operations).toHaveLength(150_000);
});

test('fifty thousand arguments are read in one pass', { timeout: 30_000 }, () => {
  const args = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`x${index}`, index]));
  expect(Object.keys(read(args).roles)).toHaveLength(50_000);
});
