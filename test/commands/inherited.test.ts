import { expect, test } from 'vitest';
import { inherited } from '../../src/commands/inherited.js';

const ENV = { Path: '/bin', Zvm_Password: 's', ZVM_PASSWORD: 's', EMPTY: '' };

test('the variables of secrets are withheld by their exact name, and nothing else', () => {
  expect(inherited(ENV, ['ZVM_PASSWORD'], 'linux')).toEqual({ Path: '/bin', Zvm_Password: 's', EMPTY: '' });
  expect(inherited(ENV, [], 'linux')).toEqual(ENV);
});

test('on Windows, where names have no letter case, in every spelling', () => {
  expect(inherited(ENV, ['zvm_password'], 'win32')).toEqual({ Path: '/bin', EMPTY: '' });
});
