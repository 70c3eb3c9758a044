import type { LanguageName } from '../../specs/types.js';
import { type Context, deeper, type Ruling, readOnly, unknown } from '../context.js';
import { judgeAwk } from './judge-awk.js';
import { judgeRedis } from './judge-redis.js';
import { judgeSed } from './judge-sed.js';
import { judgePsql, judgeSql, judgeSqlite } from './judge-sql.js';

/** Judges code that stands in a call. `joined`: the texts are words of one line, else each is a piece of its own. */
export type Language = (texts: readonly string[], joined: boolean, context: Context) => Ruling;

export const LANGUAGES: Readonly<Record<LanguageName, Language>> = {
  awk: (texts) => judgeAwk(texts.join('\n')),
  bash: judgeBash,
  redis: judgeRedis,
  sed: (texts) => judgeSed(texts.join('\n')),
  sql: judgeSql,
  psql: judgePsql,
  sqlite: judgeSqlite,
};

function judgeBash(texts: readonly string[], joined: boolean, context: Context): Ruling {
  for (const text of joined ? [texts.join(' ')] : texts) {
    const inner = deeper(context, text);
    if (inner === undefined) return unknown('commands are nested too deep');
    inner.engine.script(text, inner);
  }
  return readOnly('runs the command in it');
}
