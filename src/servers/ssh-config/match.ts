import { matchesList } from './patterns.js';

/** Whether lines count: `maybe` where it depends on what cannot be known without running something. */
export type Active = 'yes' | 'no' | { readonly maybe: string };

/** What is known while a configuration is read. `host`: the name so far, undefined where it is not sure. */
export interface Names {
  readonly original: string;
  readonly host: string | undefined;
}

/** Criteria that take no argument. */
const BARE: ReadonlySet<string> = new Set(['all', 'canonical', 'final']);

/** The criteria of a `Match` line. Only the names of hosts are judged; `final` makes ssh read everything again for another name. */
export function judgeMatch(args: readonly string[], names: Names): Active | 'broken' {
  const criteria = readCriteria(args);
  if (criteria === undefined) return 'broken';
  return criteria.reduce<Active>(
    (active, { name, value, negated }) => both(active, inverted(judge(name, value, names), negated)),
    'yes',
  );
}

interface Criterion {
  readonly name: string;
  readonly value: string;
  readonly negated: boolean;
}

function readCriteria([first, ...rest]: readonly string[]): readonly Criterion[] | undefined {
  if (first === undefined) return undefined;
  const [word = '', inline] = splitCriterion(first);
  const name = word.replace(/^!/, '').toLowerCase();
  const own = BARE.has(name) ? '' : (inline ?? rest[0]);
  // An `=` between blanks is no value, and each release reads it in its own way.
  if (name === '' || own === undefined || (!BARE.has(name) && /^=?$/.test(own))) return undefined;
  const others = BARE.has(name) || inline !== undefined ? rest : rest.slice(1);
  const more = others.length === 0 ? [] : readCriteria(others);
  return more && [{ name, value: own, negated: word.startsWith('!') }, ...more];
}

function judge(criterion: string, value: string, { original, host }: Names): Active {
  if (criterion === 'all') return 'yes';
  // Names are made canonical only where CanonicalizeHostname says so, which is a stop of its own.
  if (criterion === 'canonical') return 'no';
  if (criterion === 'originalhost') return matchesList(original, value) ? 'yes' : 'no';
  if (criterion !== 'host') return { maybe: `"Match ${criterion}"` };
  if (host === undefined) return { maybe: '"Match host", whose name is not sure' };
  return matchesList(host, value) ? 'yes' : 'no';
}

function splitCriterion(word: string): readonly [string, string | undefined] {
  const equals = word.indexOf('=');
  return equals < 0 ? [word, undefined] : [word.slice(0, equals), word.slice(equals + 1)];
}

function inverted(active: Active, negated: boolean): Active {
  if (!negated || typeof active === 'object') return active;
  return active === 'yes' ? 'no' : 'yes';
}

/** Both must hold; what surely does not decides. */
export function both(left: Active, right: Active): Active {
  if (left === 'no' || right === 'no') return 'no';
  return left === 'yes' ? right : left;
}
