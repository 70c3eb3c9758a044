const TOKEN =
  /\s+|('[^'\\{}]*'|"[^"\\{}]*")|(\d+(?:\.\d+)?)|([A-Za-z]\w*)|(==|!=|<=|>=|[<>+*/[.,:-])|(\()|([)\]])|(\|)|([\s\S])/g;
const WORDS: ReadonlySet<string> = new Set(['and', 'or', 'not', 'in', 'is', 'if', 'else', 'true', 'false']);
const FILTERS: ReadonlySet<string> = new Set(
  'default d length count int float bool string lower upper trim list first last sort unique min max abs'.split(' '),
);
const CALLS: ReadonlySet<string> = new Set(['default', 'd', 'int', 'float']);

type Kind = 'start' | 'word' | 'name' | 'filter' | 'value' | 'sign' | 'open' | 'close' | 'pipe';

/** Whether a condition (`when`, `that`, `until` …) only compares: no function is called, no filter used but those that only compute. */
export function isPlainExpression(value: unknown): boolean {
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return true;
  if (Array.isArray(value)) return value.every((item) => !Array.isArray(item) && isPlainExpression(item));
  return typeof value === 'string' && value.length < 2000 && isPlainText(value);
}

function isPlainText(text: string): boolean {
  let before: Kind = 'start';
  let callable = false;
  for (const match of text.matchAll(TOKEN)) {
    const kind = kindOf(match, before);
    if (kind === undefined) continue;
    if (kind === 'invalid' || !mayFollow(kind, before, callable)) return false;
    callable = kind === 'filter' && CALLS.has(match[3] ?? '');
    before = kind;
  }
  return before !== 'pipe';
}

function kindOf(match: RegExpMatchArray, before: Kind): Kind | 'invalid' | undefined {
  const [, quoted, number, name, sign, open, close, pipe, other] = match;
  if (other !== undefined) return 'invalid';
  if (quoted !== undefined || number !== undefined) return 'value';
  if (name !== undefined) return kindOfName(name, before);
  if (sign !== undefined) return 'sign';
  if (open !== undefined) return 'open';
  if (close !== undefined) return 'close';
  return pipe === undefined ? undefined : 'pipe';
}

function kindOfName(name: string, before: Kind): Kind | 'invalid' {
  if (before === 'pipe') return FILTERS.has(name) ? 'filter' : 'invalid';
  return WORDS.has(name.toLowerCase()) ? 'word' : 'name';
}

/** A bracket after a name is a call; after a value or a closing bracket it is one too. */
function mayFollow(kind: Kind, before: Kind, callable: boolean): boolean {
  if (kind === 'open')
    return callable || before === 'start' || before === 'word' || before === 'sign' || before === 'open';
  return before !== 'pipe' || kind === 'filter';
}
