import { expect, test } from 'vitest';
import { classifyCommand, createClassify } from '../../src/classify/index.js';
import { userPrograms } from '../../src/classify/user-commands.js';
import { verifies } from '../e2e/requirements.js';
import { fc } from '../support/property.js';

const appctl = {
  short: 'v',
  flags: { '--config': 'value', '--json': 'none' },
  subcommands: {
    status: { effect: 'read_only', short: 'v', operands: { max: 1 } },
    logs: { effect: 'read_only', flags: { '-n': 'value', '--out': { arg: 'value', effect: 'mutating' } } },
    reload: 'mutating',
  },
  examples: {
    read_only: ['appctl status web', 'appctl logs -n 5'],
    unknown: ['appctl status --new-flag'],
    mutating: ['appctl reload', 'appctl logs --out f'],
  },
};
const verdict = (rules: Record<string, unknown>, command: string) =>
  classifyCommand('bash', command, createClassify(userPrograms(rules))).effect;

test(`${verifies('C-7')} an operator's program is judged like a built-in one, also inside wrappers and pipelines`, () => {
  expect(verdict({}, 'appctl status web')).toBe('unknown');
  expect(verdict({ appctl }, 'sudo appctl status web | grep up')).toBe('read_only');
  expect(verdict({ appctl }, 'appctl status web; appctl reload')).toBe('mutating');
  expect(verdict({ appctl }, 'appctl status web other')).not.toBe('read_only');
  expect(verdict({ appctl }, '/tmp/appctl status web')).not.toBe('read_only');
  expect(verdict({ appctl }, 'appctl status web > /etc/x')).toBe('mutating');
});

test(`${verifies('C-7')} a rule that contradicts its examples stops the start, and says which`, () => {
  const wrong = { ...appctl, examples: { ...appctl.examples, read_only: ['appctl reload'] } };
  expect(() => userPrograms({ appctl: wrong })).toThrow(
    /classifier\.commands\["appctl"\]\.examples\.read_only: "appctl reload" comes out mutating/,
  );
});

test.each([
  ['no example that must not read', { ...appctl, examples: { read_only: ['appctl status'] } }, /at least one/],
  ['an unknown key', { ...appctl, effekt: 'read_only' }, /effekt/],
  ['a wrong effect', { ...appctl, effect: 'safe' }, /effect/],
  ['no examples', { effect: 'read_only' }, /examples/],
])(`${verifies('C-7')} %s`, (_name, rule, says) => {
  expect(() => userPrograms({ appctl: rule })).toThrow(says);
});

test(`${verifies('C-7')} a built-in program is loosened only with override`, () => {
  const rm = { effect: 'read_only', operands: { max: 0 }, examples: { read_only: ['rm'], unknown: ['rm -x'] } };
  expect(() => userPrograms({ rm })).toThrow(/known already.*override/);
  expect(verdict({ rm: { ...rm, override: true } }, 'rm')).toBe('read_only');
});

test('whatever a config holds is a rule or an error that names it', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (rules) => {
      try {
        userPrograms(rules);
      } catch (error) {
        expect(String(error)).toContain('classifier.commands');
      }
    }),
  );
});
