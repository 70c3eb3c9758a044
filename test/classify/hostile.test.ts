import { describe, expect, it, test } from 'vitest';
import { classify, classifyCommand } from '../../src/classify/index.js';
import { fc } from '../support/property.js';

const FRAGMENTS = [
  'touch C',
  '$(',
  '`',
  ')',
  '"',
  "'",
  '\n',
  ';',
  '|',
  '&',
  '(',
  '{',
  '}',
  '${x:-',
  '<<E',
  '\nE\n',
  "$'",
  '\\',
  '#',
  '[[ ',
  ' ]]',
  '((',
  '$((',
  'echo ',
  'ls ',
  'a=',
  'for i in ',
  ' do ',
  'done',
  'if ',
  'then ',
  'fi',
  'case ',
  'esac',
  '*',
  '?',
  '[a]',
  '~',
  '{a,b}',
  '$x',
  '"$@"',
  'time ',
  'sed -n ',
  'awk ',
  'find . -exec ',
  '\\;',
  'xargs ',
  'sh -c ',
  '\t',
  '=',
  '@(',
  ';;',
  '<(',
  '>&',
  '&>',
  'function f ',
  '\u0000',
  '\u200b',
  '\ud800',
];

describe('hostile text', () => {
  it('never throws, and always says why', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 40 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, (source) => {
        const { effect, findings } = classifyCommand('bash', source);
        expect(['read_only', 'unknown', 'mutating']).toContain(effect);
        if (effect === 'read_only') expect(findings.length).toBeGreaterThan(0);
        for (const finding of findings) expect(finding.why).not.toMatch(/could not be judged/);
      }),
      { numRuns: 3000 },
    );
  });

  it('that is empty, blank or only a comment is unknown', () => {
    for (const source of ['', ' ', '\n\n', '# ls', '\t# rm'])
      expect(classifyCommand('bash', source).effect).toBe('unknown');
  });

  it('of more than 10,000 characters is unknown', () => {
    expect(classifyCommand('bash', `echo ${'a'.repeat(9_990)}`).effect).toBe('read_only');
    expect(classifyCommand('bash', `echo ${'a'.repeat(10_000)}`).effect).toBe('unknown');
  });

  it.each([
    '(',
    '$(',
    '`',
    '"',
    "'",
    '{ ',
    '[[ ',
    '((',
    '$((',
    '${x:-',
    'if ',
    'case ',
    '<<E ',
    '\\',
    '!',
    'sudo ',
    '{a,',
    '@(',
    '<(',
    '"$(',
    '"${x:-$(',
    '$((($(~',
    '$({a,{b,*',
    '{{"$(',
    '{a,{b,',
    '{a,b}',
    '`a ',
    'cat <<E\n',
    'cat <<E\n$(ls)\nE\n',
    '<<A$a ',
    '[[ ( ',
    '[[ a && ',
    '$((1+(',
    'case a in a) ',
    'for i in a; do ',
    'for i in a b; do ls $i; done;',
    'while ',
    'f(){ ',
    'select i in a; do ',
    'a|',
    'ls&&',
    '!(a|$(',
    '*"$(',
    '~>a {{"$(',
    'echo ${x#',
    "sed 's/a/b/' $(",
  ])('of nothing but %j is judged and not read_only', (piece) => {
    expect(classifyCommand('bash', piece.repeat(50_000)).effect).toBe('unknown');
    const longest = piece.repeat(Math.floor(9_990 / piece.length));
    expect(classifyCommand('bash', longest).effect).not.toBe('read_only');
    expect(classifyCommand('bash', `echo ${longest}; touch x`).effect).not.toBe('read_only');
  });

  it.each([
    'sed',
    'awk',
    'mysql -e',
    'psql -c',
    'sqlite3 -readonly f',
    'redis-cli',
    'jq',
    'grep -E',
    'find . -name',
    'curl',
  ])('of 9,900 characters as code of %s is judged', (program) => {
    for (const piece of ['/', '[', '"a"', '(', '{', ';', 's/a/b/;', '1,', "a'", '\\\\', '--', 'select ', '[:']) {
      const code = piece.repeat(Math.floor(9_900 / piece.length)).replaceAll("'", '');
      expect(['read_only', 'unknown', 'mutating']).toContain(classifyCommand('bash', `${program} '${code}'`).effect);
    }
  });
});

test('a text of more parts than are judged is unknown, whatever they are', () => {
  expect(classifyCommand('bash', 'ls;'.repeat(990)).effect).toBe('read_only');
  expect(classifyCommand('bash', 'ls;'.repeat(2000)).effect).toBe('unknown');
});

describe('operations', () => {
  it('none at all are unknown', () => {
    expect(classify([])).toEqual({ effect: 'unknown', findings: [] });
  });

  it('with an effect of their own become findings; the highest decides', () => {
    const fixed = { kind: 'fixed', effect: 'mutating', subject: 'upload', why: 'writes a file' } as const;
    expect(classify([{ kind: 'command', language: 'bash', source: 'ls' }, fixed])).toEqual({
      effect: 'mutating',
      findings: [
        { effect: 'read_only', subject: 'ls', why: 'ls: reads', program: 'ls' },
        { effect: 'mutating', subject: 'upload', why: 'writes a file' },
      ],
    });
  });
});
