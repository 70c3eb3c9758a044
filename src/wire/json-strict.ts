import { quote } from '../domain/text.js';
import { objectionToName } from './json-names.js';
import { BRACE, BRACKET, COMMA, decodeString, QUOTE, stringEnd, TO_CLOSING } from './scan.js';

/** What a walk over a message found: why two readers could differ, and where the value of the top-level `id` begins. */
interface Walk {
  readonly ambiguity: string | undefined;
  readonly idAt: number;
}

/** The names of one open object; the set is made for the second of them. Arrays have none. */
interface Names {
  first: string | undefined;
  all: Set<string> | undefined;
}

/**
 * Walks JSON text (latin1) that a parser accepted already: names that are there twice at any depth, reserved names spelled
 * otherwise, line ends between tokens. No recursion.
 */
export function walkStrictly(text: string): Walk {
  const state: State = { text, open: [], expectName: false, topName: '', idAt: -1, ambiguity: undefined };
  for (let i = 0; i < text.length && state.ambiguity === undefined; ) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) {
      const end = stringEnd(text, i);
      if (state.expectName) enterName(state, i, end);
      i = end;
    } else {
      enterToken(state, code);
      i += 1;
    }
  }
  return state;
}

interface State {
  readonly text: string;
  readonly open: (Names | undefined)[];
  expectName: boolean;
  topName: string;
  idAt: number;
  ambiguity: string | undefined;
}

function enterToken(state: State, code: number): void {
  if (code === BRACE) {
    state.open.push({ first: undefined, all: undefined });
    state.expectName = true;
  } else if (code === BRACKET) {
    state.open.push(undefined);
    state.expectName = false;
  } else if (code === COMMA) {
    state.expectName = state.open[state.open.length - 1] !== undefined;
  } else if (code === BRACE + TO_CLOSING || code === BRACKET + TO_CLOSING) {
    state.open.pop();
    state.expectName = false;
  } else if (code === 0x0d || code === 0x0a) {
    // A reader with universal newlines would split here, and `{"a":\r{"method":…}\r}` holds a whole message.
    state.ambiguity = 'a line end stands inside the message';
  }
}

function enterName(state: State, start: number, end: number): void {
  const name = decodeString(state.text, start, end);
  state.expectName = false;
  state.ambiguity = nameObjection(state, name, end);
}

function nameObjection(state: State, name: string, end: number): string | undefined {
  const depth = state.open.length;
  if (isRepeated(state.open[depth - 1], name)) return `the member ${quote(name, 40)} is there twice`;
  if (depth === 1) {
    state.topName = name;
    if (name === 'id') state.idAt = state.text.indexOf(':', end) + 1;
    return objectionToName(name, 'message');
  }
  return objectionToName(name, depth === 2 && state.topName === 'params' ? 'params' : 'deeper');
}

function isRepeated(names: Names | undefined, name: string): boolean {
  if (names === undefined) return false;
  if (names.first === undefined) {
    names.first = name;
    return false;
  }
  names.all ??= new Set([names.first]);
  const before = names.all.size;
  return names.all.add(name).size === before;
}
