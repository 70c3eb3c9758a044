import type { Effect } from '../../domain/assessment.js';
import type { Compiled } from '../specs/compile.js';
import { CHECKS } from './checks/index.js';
import { type Context, named, type Ruling, report, unknown } from './context.js';
import { actsElsewhere } from './elsewhere.js';
import { judgeFlags } from './judge-flags.js';
import { ledByBuiltin } from './judge-setting.js';
import { judgeSubcommand } from './judge-subcommand.js';
import type { Word } from './word.js';

const TRUSTED_PATH = /^\/(?:usr\/)?s?bin\/([^/]+)$/;

/** Programs that are not listed, and run commands on other machines. */
const REACHING: ReadonlySet<string> = new Set(
  'mosh plink pscp psftp pssh parallel-ssh pnuke prsync pdsh pdcp clush dsh cssh rsh rlogin rcp remsh autossh sshfs telnet winrs psexec ansible-playbook ansible-pull ansible-console salt salt-ssh bolt fab knife'.split(
    ' ',
  ),
);

const UNKNOWN_PLACE = { reaches: [{ host: '' }] };

/** Judges a call by its words, the program's name first. Commands inside it report for themselves. */
export function judgeCall(words: readonly Word[], subject: string, outer: Context): void {
  const program = words[0];
  if (program?.literal === undefined) {
    report(outer, subject, unknown('the name of the program is not known before it runs'));
    return;
  }
  const name = TRUSTED_PATH.exec(program.literal)?.[1] ?? program.literal;
  const context = ledByBuiltin(name, words, outer);
  const spec = context.find(name);
  if (spec === undefined) {
    report(REACHING.has(name) ? { ...context, elsewhere: true, ...UNKNOWN_PLACE } : context, subject, unlisted(name));
    return;
  }
  const away = REACHING.has(name) ? UNKNOWN_PLACE : actsElsewhere(spec, words);
  const place = away === undefined ? context : { ...context, elsewhere: true, reaches: away.reaches };
  report(place, subject, judgeSpec(spec, words, 1, subject, place), spec.name);
}

function unlisted(name: string): Ruling {
  const where = name.includes('/') ? 'is not in a system directory' : 'is not a program that is listed';
  return unknown(`${name} ${where}`);
}

/** Judges the words from `start` on by what is known of the program or subcommand. */
function judgeSpec(spec: Compiled, words: readonly Word[], start: number, subject: string, context: Context): Ruling {
  if (asksForHelp(words, start)) return { effect: 'read_only', why: `${spec.name}: help or version` };
  if (spec.spec.style === 'any') return settled(spec);
  if (spec.subcommands !== undefined) {
    return judgeSubcommand(spec, words, start, (sub, rest) => judgeSpec(sub, rest, 1, subject, context));
  }
  if (spec.effect === 'mutating' && spec.simulate === undefined) return settled(spec);
  if (spec.spec.sends === true && context.fed) {
    return named(spec.name, unknown('sends its standard input to another machine'));
  }
  if (spec.spec.check !== undefined) return CHECKS[spec.spec.check](spec, words, start, subject, context);
  return named(spec.name, judgeFlags(spec, words, start, subject, context));
}

/** With no other word, these print and exit. */
function asksForHelp(words: readonly Word[], start: number): boolean {
  const only = words.length === start + 1 ? words[start]?.literal : undefined;
  return only === '--help' || only === '--version';
}

const MEANING: Record<Effect, string> = {
  read_only: 'reads',
  unknown: 'is not known to only read',
  mutating: 'changes something',
};

function settled(spec: Compiled): Ruling {
  return named(spec.name, { effect: spec.effect, why: spec.spec.why ?? MEANING[spec.effect] });
}
