import { type Effect, strictest } from '../../../domain/assessment.js';
import { mutating, type Ruling, readOnly, unknown } from '../context.js';
import { CALLABLE, CHANGES, FUNCTIONS, READS, WRITES_INSIDE } from './sql-words.js';

const TOKEN =
  /\s+|'(?:[^'\\]|'')*'|"(?:[^"\\]|"")*"|`[^`\\]*`|[A-Za-z_][A-Za-z0-9_$]*|[0-9]+(?:\.[0-9]+)?|--|\/\*|::|[^\s\w]/y;

/** SQL statements: only those that read, with functions that are listed. */
export function judgeSql(texts: readonly string[]): Ruling {
  // A last \G is mysql's way to end a statement.
  return worst(texts.flatMap((text) => statements(text.replace(/\\G;?\s*$/, '')).map(judgeStatement)));
}

const META = /^\\(?:l|list|d[A-Za-z]*|conninfo|z|du|dn|dt|sf)[S+]*(?:\s+[A-Za-z0-9_.*?"-]+)*\s*;?\s*$/;

/** psql: as SQL, and its commands that list. */
export function judgePsql(texts: readonly string[]): Ruling {
  return worst(texts.map((text) => (META.test(text) ? readOnly('lists') : judgeSql([text]))));
}

const DOT =
  /^\.(?:tables|schema|databases|indexes|indices|help|show|version|dbinfo|fullschema)(?:\s+[A-Za-z0-9_%.'-]+)*\s*$/;
const SHOWS =
  /^\.(?:headers|header|mode|timeout|width|nullvalue|separator|bail|echo|eqp|timer)(?:\s+[A-Za-z0-9_,|-]+)*\s*$/;

/** sqlite3: as SQL, and its commands that show. */
export function judgeSqlite(texts: readonly string[]): Ruling {
  return worst(
    texts.map((text) => {
      if (DOT.test(text) || SHOWS.test(text)) return readOnly('shows');
      return text.trimStart().startsWith('.') ? unknown('a command of sqlite3 that is not listed') : judgeSql([text]);
    }),
  );
}

function worst(rulings: readonly Ruling[]): Ruling {
  const effect: Effect = strictest(rulings.map((ruling) => ruling.effect));
  return rulings.find((ruling) => ruling.effect === effect) ?? unknown('there is no statement in it');
}

const UNREADABLE = new Set(['--', '/*', '\\', '#', '$', "'", '"', '`']);

/** The statements as lists of tokens; undefined for a text that cannot be split. */
function statements(text: string): (string[] | undefined)[] {
  const list: string[][] = [[]];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const token = TOKEN.exec(text)?.[0];
    // Comments may be executed (MySQL), and a backslash means another thing in each client.
    if (token === undefined || UNREADABLE.has(token)) return [undefined];
    if (token === ';') list.push([]);
    else if (token.trim() !== '') list.at(-1)?.push(token);
  }
  const filled = list.filter((tokens) => tokens.length > 0);
  return filled.length === 0 ? [undefined] : filled;
}

function judgeStatement(tokens: string[] | undefined): Ruling {
  if (tokens === undefined) return unknown('SQL that is not followed');
  const first = tokens.find((token) => token !== '(')?.toUpperCase() ?? '';
  if (CHANGES.has(first)) return mutating(`${first} changes something`);
  if (!READS.has(first)) return unknown(`the statement ${first} is not listed as reading`);
  if (first === 'PRAGMA') return judgePragma(tokens);
  if (first === 'EXPLAIN' && tokens.some((token) => /^(?:EXECUTE|REFRESH)$/i.test(token)))
    return unknown('what EXPLAIN would run cannot be seen');
  for (const [index, token] of tokens.entries()) {
    const problem = judgeToken(tokens, index, token.toUpperCase());
    if (problem !== undefined) return problem;
  }
  return readOnly(`${first} reads`);
}

function judgeToken(tokens: readonly string[], index: number, word: string): Ruling | undefined {
  const following = tokens[index + 1];
  if (WRITES_INSIDE.has(word) && tokens[0]?.toUpperCase() !== 'SHOW') return mutating(`${word} in a query writes`);
  if (locks(word, following)) return mutating('the query locks rows');
  if (word === ':' && following === '=') return unknown('an assignment in a query');
  if (following !== '(' || !/^[A-Z_"`']/.test(word)) return undefined;
  if (tokens[index - 1] === '.') return unknown(`the function ${word} of a schema is not listed as reading`);
  if (FUNCTIONS.has(word) || CALLABLE.has(word)) return undefined;
  return unknown(`the function ${word} is not listed as reading`);
}

function locks(word: string, following: string | undefined): boolean {
  return (word === 'FOR' || word === 'IN') && LOCKS.has(following?.toUpperCase() ?? '');
}

const LOCKS = new Set(['UPDATE', 'SHARE', 'NO', 'KEY']);
const PRAGMAS = new Set(
  'TABLE_INFO TABLE_XINFO TABLE_LIST INDEX_LIST INDEX_INFO DATABASE_LIST FOREIGN_KEY_LIST COMPILE_OPTIONS COLLATION_LIST INTEGRITY_CHECK QUICK_CHECK'.split(
    ' ',
  ),
);

function judgePragma(tokens: readonly string[]): Ruling {
  const name = tokens[1]?.toUpperCase() ?? '';
  return PRAGMAS.has(name) && !tokens.includes('=')
    ? readOnly('a PRAGMA that reads')
    : unknown(`PRAGMA ${name} is not listed as reading`);
}
