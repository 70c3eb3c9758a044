import { expect, test } from 'vitest';
import type { Reading } from '../../src/domain/call.js';
import { hostPattern, limitWithout } from '../../src/proxy/narrower.js';

const reading = (roles: Reading['roles'], kind: 'ansible_module' | 'command' = 'ansible_module'): Reading => ({
  interceptor: 'test',
  roles,
  operations: [
    kind === 'command'
      ? { kind, language: 'bash', source: 'ls' }
      : { kind, module: 'ping', args: undefined, check: false },
  ],
  hosts: [],
});

test.each([
  ['a limit before a list of hosts', { hosts: 'web', limit: 'web:&eu' }, 'web:&eu'],
  ['the list of hosts where the limit is empty', { hosts: 'web', limit: ' ' }, 'web'],
  ['a list of hosts that is no text', { hosts: ['a', 'b'] }, undefined],
  ['text that would end a quotation', { hosts: "web'; reboot #" }, undefined],
])('%s', (_name, given, pattern) => {
  const roles = { hosts: 'host_list', limit: 'limit' } as const;
  expect(hostPattern({ arguments: given }, reading(roles))).toBe(pattern);
});

test('only an ansible call has a pattern', () => {
  const given = { arguments: { hosts: 'web' } };
  expect(hostPattern(given, reading({ hosts: 'host_list' }, 'command'))).toBeUndefined();
});

test('hosts are taken out of the pattern', () => {
  expect(limitWithout('web', ['web07', 'web08'])).toBe("--limit 'web:!web07:!web08'");
  expect(limitWithout('web,db', ['web07'])).toBe("--limit 'web,db,!web07'");
  expect(limitWithout(undefined, ['web07'])).toBeUndefined();
  expect(limitWithout('web', ["o'brien"])).toBeUndefined();
});
