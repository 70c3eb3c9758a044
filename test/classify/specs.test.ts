import { describe, expect, it } from 'vitest';
import { classifyCommand } from '../../src/classify/index.js';
import { programs } from '../../src/classify/specs/compile.js';
import { FAMILIES, findProgram, programNames } from '../../src/classify/specs/index.js';
import type { Family } from '../../src/classify/specs/types.js';

const examples = FAMILIES.flatMap((family: Family) =>
  (['read_only', 'unknown', 'mutating'] as const).flatMap((effect) =>
    family.examples[effect].map((command) => [effect, command] as const),
  ),
);

describe('the examples of the specs', () => {
  it.each(examples)('%s: %j', (effect, command) => {
    expect(classifyCommand('bash', command)).toMatchObject({ effect });
  });

  it('stand for both sides in every family', () => {
    for (const { examples: own } of FAMILIES) {
      expect(own.read_only.length).toBeGreaterThan(0);
      expect(own.unknown.length + own.mutating.length).toBeGreaterThan(0);
    }
    expect(examples.length).toBeGreaterThan(800);
  });
});

describe('the specs', () => {
  it('name every program once', () => {
    const names = FAMILIES.flatMap((family) => Object.keys(family.commands).flatMap((keys) => keys.split(' ')));
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(programNames()).toHaveLength(names.length);
  });

  it('hold only names that a program, flag or subcommand can have', () => {
    for (const name of programNames()) expect(name).toMatch(/^(?:[a-zA-Z0-9_][a-zA-Z0-9_.+-]*|\[|:)$/);
    const flags = programNames().flatMap((name) => [...(findProgram(name)?.flags.keys() ?? [])]);
    expect(flags.filter((flag) => !/^-(?:\.|\S*[^\s.])$/.test(flag))).toEqual([]);
    const keys = FAMILIES.flatMap((family: Family) => [...programs(family).values()]).flatMap((spec) =>
      Object.keys(spec.subcommands ?? {}),
    );
    expect(keys.filter((key) => !/^[^\s.]+(?: [^\s.]+)*$/.test(key))).toEqual([]);
  });

  it('are plain data, as a config could hold them', () => {
    expect(JSON.parse(JSON.stringify(FAMILIES))).toEqual(FAMILIES);
  });

  it('call no program read_only for flags that nobody listed', () => {
    const loose = programNames().filter(
      (name) => classifyCommand('bash', `${name} --zz-not-a-flag --zz-neither`).effect === 'read_only',
    );
    // No argument of these has an effect.
    expect(loose.sort()).toEqual([':', 'echo', 'expr', 'false', 'ps', 'true']);
  });

  it('call no program read_only for words that only the shell knows, unless none has an effect', () => {
    const loose = programNames().filter((name) => classifyCommand('bash', `${name} $x`).effect === 'read_only');
    for (const name of loose) {
      const spec = findProgram(name)?.spec;
      expect([name, spec?.dynamic === 'any' || spec?.style === 'any']).toEqual([name, true]);
    }
    expect(loose.length).toBeGreaterThan(20);
  });
});
