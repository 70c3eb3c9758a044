import { strictest } from '../../domain/assessment.js';
import { type Compiled, compile } from '../specs/compile.js';
import { named, type Ruling, stricter, unknown } from './context.js';
import { isUsed, type ReadFlags, readFlags } from './read-flags.js';
import { literalWord, type Word } from './word.js';

/** Judges a call whose first operand says what it does. `judge` gets the subcommand's spec and words, its name first. */
export function judgeSubcommand(
  spec: Compiled,
  words: readonly Word[],
  start: number,
  judge: (sub: Compiled, words: readonly Word[]) => Ruling,
): Ruling {
  const flags = readFlags(spec, words, start, true);
  const at = flags.end + (spec.after === undefined ? 0 : 1);
  if (at >= words.length) return named(spec.name, flags.worst ?? withoutSubcommand(spec, words, flags));
  const subs = isPlain(spec, words[flags.end]) ? subcommands(spec, words[at]?.literal) : [];
  if (subs.length === 0) {
    const why = `${words[at]?.text} is not listed as reading`;
    return named(spec.name, stricter(flags.worst, { effect: spec.otherwise, why }));
  }
  // Flags that hold everywhere may also stand before the subcommand.
  const before = spec.everywhere && spec.after === undefined ? words.slice(start, flags.end) : [];
  if (before.some((one) => one.literal === '--')) return named(spec.name, unknown('its subcommand stands after --'));
  const rest = [literalWord(spec.name), ...before, ...words.slice(at + 1)];
  const rulings = subs.map((sub) => judge(sub, rest));
  const effect = strictest(rulings.map((ruling) => ruling.effect));
  const ruling = rulings.find((one) => one.effect === effect) ?? unknown('nothing was recognised');
  return flags.worst === undefined ? ruling : stricter(named(spec.name, flags.worst), ruling);
}

/** Where an operand stands before the subcommand, it must be a plain name. */
function isPlain(spec: Compiled, word: Word | undefined): boolean {
  return spec.after === undefined || (word?.literal !== undefined && spec.after.test(word.literal));
}

function withoutSubcommand(spec: Compiled, words: readonly Word[], flags: ReadFlags): Ruling {
  const shown = words.length === flags.end && spec.requires !== undefined && isUsed(flags, spec.requires);
  const effect = shown ? spec.effect : (spec.spec.bare ?? spec.otherwise);
  return { effect, why: effect === 'read_only' ? 'shows' : 'its subcommand is missing' };
}

/** The subcommand of this name or family (`list-*`); where names may be shortened, all that it may stand for. */
function subcommands(spec: Compiled, name: string | undefined): Compiled[] {
  const known = spec.subcommands;
  if (known === undefined || name === undefined || name === '') return [];
  if (known.has(name)) return [subcommand(spec, name)];
  const family = `${name.slice(0, name.indexOf('-') + 1)}*`;
  if (known.has(family)) return [subcommand(spec, family)];
  if (spec.spec.abbreviate !== true) return [];
  return [...known.keys()].filter((full) => full.startsWith(name)).map((full) => subcommand(spec, full));
}

function subcommand(spec: Compiled, name: string): Compiled {
  const ready = spec.sub.get(name);
  if (ready !== undefined) return ready;
  const found = spec.subcommands?.get(name) ?? 'unknown';
  const data = typeof found === 'string' ? { effect: found, style: 'any' as const } : found;
  const inherited = spec.everywhere ? spec.flags : undefined;
  const made = compile(`${spec.name} ${name}`, data, spec.effect, inherited, spec.otherwise);
  spec.sub.set(name, made);
  return made;
}
