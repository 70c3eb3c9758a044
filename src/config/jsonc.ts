import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

/** A place in a config file and what is wrong there. Line and column count from 1. */
export interface Problem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** A parsed file: its value, what is wrong with its text, and where a path stands in it. */
export interface Document {
  readonly value: unknown;
  readonly problems: readonly Problem[];
  has(path: readonly PropertyKey[]): boolean;
  locate(path: readonly PropertyKey[], key?: string): { readonly line: number; readonly column: number } | undefined;
}

// A file that is no JSON at all gives an error for nearly every word.
const MOST = 20;

/** JSON with comments and trailing commas, BOM and CRLF read. A key given twice, or `__proto__`, is a problem: readers differ on them. */
export function parseJsonc(source: string): Document {
  const text = source.replace(/^\uFEFF/, '');
  const errors: ParseError[] = [];
  const root = parse(text, errors);
  const at = positions(text);
  const problems: Problem[] = errors.slice(0, MOST).map((error) => ({
    path: [],
    message: words(printParseErrorCode(error.error)),
    ...at(error.offset),
  }));
  if (root === undefined) {
    return {
      value: undefined,
      problems: problems.length > 0 ? problems : [{ path: [], message: 'the file is empty' }],
      has: () => false,
      locate: () => undefined,
    };
  }
  const value = read(root, [], (path, node, message) => problems.push({ path, message, ...at(node.offset) }));
  return {
    value,
    problems,
    has: (path) => nodeAt(root, path) !== undefined,
    locate: (path, key) => find(root, path, key, at),
  };
}

function parse(text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { allowTrailingComma: true, disallowComments: false });
  } catch {
    // The only throw is the stack's end, in a file nested some ten thousand times.
    errors.push({ error: 1, offset: 0, length: 0 });
    return undefined;
  }
}

type Report = (path: readonly PropertyKey[], node: Node, message: string) => void;

// Built here, since the parser's own values take `__proto__` for an object's prototype.
function read(node: Node, path: readonly PropertyKey[], report: Report): unknown {
  if (node.type === 'array') return (node.children ?? []).map((item, index) => read(item, [...path, index], report));
  if (node.type !== 'object') return node.value;
  const entries = new Map<string, unknown>();
  for (const property of node.children ?? []) readProperty(property, entries, path, report);
  return Object.fromEntries(entries);
}

function readProperty(
  property: Node,
  entries: Map<string, unknown>,
  path: readonly PropertyKey[],
  report: Report,
): void {
  const [key, value] = property.children ?? [];
  if (key === undefined || value === undefined) return;
  const name = String(key.value);
  if (name === '__proto__') report(path, key, 'the key "__proto__" is not allowed');
  else if (entries.has(name)) report([...path, name], key, 'the key is given twice');
  else entries.set(name, read(value, [...path, name], report));
}

function nodeAt(root: Node, path: readonly PropertyKey[]): Node | undefined {
  return path.reduce<Node | undefined>((node, step) => (node === undefined ? undefined : childOf(node, step)), root);
}

function childOf(node: Node, step: PropertyKey): Node | undefined {
  return node.type === 'array' ? node.children?.[Number(step)] : propertyOf(node, String(step));
}

function find(root: Node, path: readonly PropertyKey[], key: string | undefined, at: ReturnType<typeof positions>) {
  let node: Node = root;
  for (const step of key === undefined ? path : [...path, key]) {
    const next = childOf(node, step);
    if (next === undefined) break;
    node = next;
  }
  // The value of a property stands for its key, which is where a reader looks.
  const shown = node.parent?.type === 'property' ? (node.parent.children?.[0] ?? node) : node;
  return at(shown.offset);
}

function propertyOf(node: Node, key: string): Node | undefined {
  return node.children?.find((property) => property.children?.[0]?.value === key)?.children?.[1];
}

function positions(text: string) {
  return (offset: number) => {
    const before = text.slice(0, offset).split(/\r\n|\r|\n/);
    return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
  };
}

/** `CommaExpected` as `comma expected`. */
function words(code: string): string {
  return code.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
}
