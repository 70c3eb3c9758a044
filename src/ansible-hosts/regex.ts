import { cannotTell } from './cannot-tell.js';

type Test = (character: string) => boolean;

type Node =
  | { readonly kind: 'character'; readonly test: Test }
  | { readonly kind: 'start' }
  | { readonly kind: 'end' }
  | { readonly kind: 'sequence'; readonly parts: readonly Node[] }
  | { readonly kind: 'choice'; readonly options: readonly Node[] }
  | { readonly kind: 'repeat'; readonly part: Node; readonly least: number; readonly most: number };

type State =
  | { readonly kind: 'character'; readonly test: Test; readonly next: State }
  | { readonly kind: 'start' | 'end'; readonly next: State }
  | { readonly kind: 'fork'; readonly next: State[] }
  | { readonly kind: 'match' };

const MAX_STATES = 3000;
const MAX_REPEAT = 100;

/**
 * Whether a text begins with what a regular expression of Python's `re` stands for. Only what all its versions read alike; in time linear in the
 * text, whatever the expression.
 */
export function regexMatcher(expression: string): (text: string) => boolean {
  const reader = new Reader(expression);
  const node = reader.choice(0);
  if (!reader.isDone()) unclear();
  let count = 0;
  const begin = build(node, { kind: 'match' }, () => {
    count += 1;
    if (count > MAX_STATES) unclear();
  });
  return (text) => {
    let states = reach([begin], true, text.length === 0);
    for (let at = 0; at < text.length && !hasMatch(states); at += 1) {
      const character = text.charAt(at);
      const next = [...states].flatMap((state) =>
        state.kind === 'character' && state.test(character) ? [state.next] : [],
      );
      states = reach(next, false, at + 1 === text.length);
    }
    return hasMatch(states);
  };
}

function hasMatch(states: ReadonlySet<State>): boolean {
  return [...states].some(({ kind }) => kind === 'match');
}

/** All states that can be had without another character. */
function reach(from: readonly State[], atStart: boolean, atEnd: boolean): ReadonlySet<State> {
  const found = new Set<State>(from);
  for (const state of found) {
    if (state.kind === 'fork') for (const next of state.next) found.add(next);
    if ((state.kind === 'start' && atStart) || (state.kind === 'end' && atEnd)) found.add(state.next);
  }
  return found;
}

function build(node: Node, next: State, count: () => void): State {
  count();
  if (node.kind === 'character') return { kind: 'character', test: node.test, next };
  if (node.kind === 'start') return { kind: 'start', next };
  if (node.kind === 'end') return { kind: 'end', next };
  if (node.kind === 'sequence') return node.parts.reduceRight((rest, part) => build(part, rest, count), next);
  if (node.kind === 'choice') return { kind: 'fork', next: node.options.map((option) => build(option, next, count)) };
  return repeat(node, next, count);
}

function repeat({ part, least, most }: Node & { kind: 'repeat' }, next: State, count: () => void): State {
  let state = next;
  if (most === Number.POSITIVE_INFINITY) {
    const fork: State = { kind: 'fork', next: [next] };
    fork.next.push(build(part, fork, count));
    state = fork;
  } else {
    for (let left = most - least; left > 0; left -= 1)
      state = { kind: 'fork', next: [next, build(part, state, count)] };
  }
  for (let left = least; left > 0; left -= 1) state = build(part, state, count);
  return state;
}

const isDigit: Test = (character) => /[0-9]/.test(character);
const isWord: Test = (character) => /\w/.test(character);
const isSpace: Test = (character) => /[ \t\n\r\f\v]/.test(character);
const CLASSES: Readonly<Record<string, Test>> = {
  d: isDigit,
  D: (character) => !isDigit(character),
  w: isWord,
  W: (character) => !isWord(character),
  s: isSpace,
  S: (character) => !isSpace(character),
};

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    if (text.length > 500 || /[^\x20-\x7e]/.test(text)) unclear();
    this.#text = text;
  }

  isDone(): boolean {
    return this.#at === this.#text.length;
  }

  choice(depth: number): Node {
    if (depth > 20) unclear();
    const options = [this.#sequence(depth)];
    while (this.#take('|')) options.push(this.#sequence(depth));
    return { kind: 'choice', options };
  }

  #sequence(depth: number): Node {
    const parts: Node[] = [];
    while (!this.isDone() && this.#peek() !== '|' && this.#peek() !== ')') parts.push(this.#quantified(depth));
    return { kind: 'sequence', parts };
  }

  #quantified(depth: number): Node {
    const part = this.#atom(depth);
    const [text, count] = /^(?:[*+?]|\{([0-9]*(?:,[0-9]*)?)\})/.exec(this.#rest()) ?? [];
    if (text === undefined) return part;
    if (part.kind === 'start' || part.kind === 'end' || count === '' || count === ',') unclear();
    this.#at += text.length;
    // Lazy or not, the same texts begin with it; what gives nothing back is another matter.
    this.#take('?');
    if (/^[*+?{]/.test(this.#rest())) unclear();
    return { kind: 'repeat', part, ...bounds(text, count) };
  }

  #atom(depth: number): Node {
    const character = this.#next();
    if (character === '(') {
      if (this.#take('?') && !this.#take(':')) unclear();
      const inner = this.choice(depth + 1);
      return this.#take(')') ? inner : unclear();
    }
    if (character === '^') return { kind: 'start' };
    if (character === '$') return { kind: 'end' };
    if (character === '.') return { kind: 'character', test: (each) => each !== '\n' };
    if (character === '[') return { kind: 'character', test: this.#class() };
    if (character === '\\') return { kind: 'character', test: this.#escape() };
    return /[*+?{}\])]/.test(character) ? unclear() : { kind: 'character', test: (each) => each === character };
  }

  #escape(): Test {
    const character = this.#next();
    const known = CLASSES[character];
    if (known !== undefined) return known;
    return /[A-Za-z0-9]/.test(character) ? unclear() : (each) => each === character;
  }

  /** Letters, digits, `_`, `.`, `:` and `-`, ranges of letters or digits, and the classes of one letter. */
  #class(): Test {
    const negated = this.#take('^');
    const tests: Test[] = [];
    for (let character = this.#next(); character !== ']'; character = this.#next()) tests.push(this.#member(character));
    if (tests.length === 0) unclear();
    return (each) => tests.some((test) => test(each)) !== negated;
  }

  #member(character: string): Test {
    if (character === '\\') return this.#escape();
    if (!/[\w.:-]/.test(character)) unclear();
    const [, to] = /^-([^\]])/.exec(this.#rest()) ?? [];
    if (to === undefined) return (each) => each === character;
    this.#at += 2;
    const plain = [/[a-z]/, /[A-Z]/, /[0-9]/].some((kind) => kind.test(character) && kind.test(to));
    if (!plain || to < character) unclear();
    return (each) => character <= each && each <= to;
  }

  #rest(): string {
    return this.#text.slice(this.#at);
  }

  #peek(): string {
    return this.#text.charAt(this.#at);
  }

  #next(): string {
    if (this.isDone()) unclear();
    this.#at += 1;
    return this.#text.charAt(this.#at - 1);
  }

  #take(character: string): boolean {
    if (this.isDone() || this.#peek() !== character) return false;
    this.#at += 1;
    return true;
  }
}

function bounds(sign: string, count: string | undefined): { readonly least: number; readonly most: number } {
  const [from = '', to = from] = (count ?? { '*': '0,', '+': '1,' }[sign] ?? '0,1').split(',');
  const least = Number(from);
  const most = to === '' ? Infinity : Number(to);
  return least > MAX_REPEAT || most < least || (most !== Infinity && most > MAX_REPEAT) ? unclear() : { least, most };
}

function unclear(): never {
  return cannotTell('a regular expression in the pattern cannot be read as Python reads it');
}
