import { existsSync } from 'node:fs';
import { type Compiled, compile } from '../../../src/classify/specs/compile.js';
import { FAMILIES, findProgram, programNames } from '../../../src/classify/specs/index.js';
import { fc } from '../../support/property.js';
import { anyFlag, expansion, operand, requoted } from './words.js';

const BUILTINS = new Set(
  'echo : true false exit return printf test [ pwd cd type help umask ulimit times jobs dirs wait read mapfile readarray set fc history alias export readonly declare typeset shopt trap hash compgen command exec builtin eval local unset shift let getopts enable bind'.split(
    ' ',
  ),
);
const DIRECTORIES = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'];
// These would end the sandbox or only wait.
const LEFT_OUT = new Set(
  'sleep yes kill pkill killall killall5 reboot poweroff halt shutdown wait watch top htop'.split(' '),
);

function isInstalled(name: string): boolean {
  return BUILTINS.has(name) || DIRECTORIES.some((directory) => existsSync(`${directory}/${name}`));
}

const installed = programNames().filter((name) => isInstalled(name) && !LEFT_OUT.has(name));

/** Of listed flags and operands in any order and number: finds a flag whose effect, arity or spelling is listed wrongly. */
export const listedCall = fc.constantFrom(...installed).chain((name) => {
  const spec = findProgram(name);
  return spec === undefined ? fc.constant(name) : call(spec).map((words) => [name, ...words].join(' '));
});

function call(spec: Compiled): fc.Arbitrary<string[]> {
  const own = fc.array(item(spec), { maxLength: 5 });
  const subcommands = [...(spec.subcommands ?? [])];
  if (subcommands.length === 0) return own;
  const inner = fc.constantFrom(...subcommands).chain(([name, sub]) => {
    if (typeof sub === 'string') return own.map((words) => [name, ...words]);
    const compiled = compile(name, sub, spec.effect, spec.everywhere ? spec.flags : undefined);
    return call(compiled).map((words) => [name, ...words]);
  });
  return fc.oneof({ arbitrary: inner, weight: 9 }, { arbitrary: own, weight: 1 });
}

function item(spec: Compiled): fc.Arbitrary<string> {
  const flags = [...spec.flags];
  const others = [
    { arbitrary: requoted(operand), weight: 8 },
    { arbitrary: expansion, weight: 1 },
    { arbitrary: anyFlag, weight: 1 },
  ];
  if (flags.length === 0) return fc.oneof(...others);
  const listed = fc.constantFrom(...flags).chain(([name, flag]) => spelled(name, flag.arity, [...(flag.only ?? [])]));
  const letters = flags.filter(([name]) => /^-\w$/.test(name)).map(([name]) => name.slice(1));
  const cluster =
    letters.length === 0
      ? listed
      : fc.array(fc.constantFrom(...letters), { minLength: 2, maxLength: 3 }).map((some) => `-${some.join('')}`);
  return fc.oneof(...others, { arbitrary: requoted(listed), weight: 8 }, { arbitrary: cluster, weight: 2 });
}

function spelled(name: string, arity: string, only: readonly string[]): fc.Arbitrary<string> {
  if (arity === 'none')
    return fc.oneof({ arbitrary: fc.constant(name), weight: 9 }, { arbitrary: shortened(name), weight: 1 });
  const value = only.length === 0 ? operand : fc.oneof(operand, fc.constantFrom(...only));
  const glue = name.startsWith('--') ? '=' : '';
  return fc.oneof(
    value.map((text) => `${name} ${text}`),
    value.map((text) => `${name}${glue}${text}`),
    fc.constant(name),
  );
}

function shortened(name: string): fc.Arbitrary<string> {
  return fc.integer({ min: 3, max: Math.max(3, name.length) }).map((length) => name.slice(0, length));
}

const EXAMPLES = FAMILIES.flatMap((family) => [...family.examples.read_only, ...family.examples.unknown]);

/** An example of the specs with a word more, less or exchanged. */
export const changedExample = fc
  .tuple(
    fc.constantFrom(...EXAMPLES),
    fc.nat(),
    fc.oneof(operand, expansion, anyFlag),
    fc.constantFrom('add', 'exchange', 'drop'),
  )
  .map(([example, at, word, how]) => {
    const words = example.split(' ');
    const index = 1 + (at % Math.max(1, words.length));
    words.splice(index, how === 'add' ? 0 : 1, ...(how === 'drop' ? [] : [word]));
    return words.join(' ');
  });
