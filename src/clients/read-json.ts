import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import {
  type Document,
  type Entry,
  type Gap,
  hasUrl,
  type Launch,
  type Literal,
  type LiteralList,
  type Problem,
  placeOf,
  toolsIn,
} from './document.js';
import type { Layout } from './places.js';

/** Reads JSON with comments and trailing commas. A key that is given twice anywhere makes the file malformed: readers differ on it. A blank file has no servers. */
export function readJson(text: string, layouts: readonly Layout[]): Document {
  const errors: ParseError[] = [];
  const root = parse(text, errors);
  const [error] = errors;
  if (root === undefined && /^\s*$/.test(text)) return { kind: 'read', entries: [], value: new Map() };
  if (error !== undefined || root === undefined)
    return malformed(text, error?.offset ?? 0, words(printParseErrorCode(error?.error ?? 1)));
  const twice = keyGivenTwice(root);
  if (twice !== undefined) return malformed(text, twice.offset, 'a key is given twice');
  if (root.type !== 'object') return malformed(text, root.offset, 'the file is no object');
  const sections = layouts.flatMap((layout) => sectionsOf(root, layout));
  const wrong = sections.find(({ node }) => node.type !== 'object' && node.type !== 'null');
  if (wrong !== undefined) return malformed(text, wrong.node.offset, 'the servers are no object');
  const entries = new Map<number, Entry>();
  for (const section of sections) for (const entry of entriesOf(text, section)) entries.set(entry.at, entry.entry);
  return { kind: 'read', entries: [...entries.values()], value: toValue(root) };
}

function parse(text: string, errors: ParseError[]): Node | undefined {
  try {
    const root = parseTree(text, errors, { allowTrailingComma: true, disallowComments: false });
    // Two values, and nesting that exhausts the stack of what reads the tree, show here and not as errors.
    if (root !== undefined && errors.length === 0) toValue(root);
    return root;
  } catch {
    errors.push({ error: 1, offset: 0, length: 0 });
    return undefined;
  }
}

function malformed(text: string, offset: number, message: string): Document {
  const problem: Problem = { message, ...placeOf(text, offset) };
  return { kind: 'malformed', problem };
}

/** The key of an object that has it twice, also where it is spelled with escapes. */
function keyGivenTwice(root: Node): Node | undefined {
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const children = node.children ?? [];
    const twice = node.type === 'object' ? repeated(children) : undefined;
    if (twice !== undefined) return twice;
    for (const child of children) open.push(child);
  }
  return undefined;
}

function repeated(members: readonly Node[]): Node | undefined {
  const seen = new Set<unknown>();
  return members
    .flatMap(({ children = [] }) => children.slice(0, 1))
    .find(({ value }) => seen.size === seen.add(value).size);
}

/** The value with objects as maps, so that no name has a meaning of its own. */
function toValue(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(toValue);
  if (node.type !== 'object') return node.value;
  return new Map(membersOf(node).map(({ name, value }) => [name, toValue(value)]));
}

interface Member {
  readonly name: string;
  readonly key: Node;
  readonly value: Node;
}

function membersOf(node: Node | undefined): readonly Member[] {
  if (node?.type !== 'object') return [];
  return (node.children ?? []).flatMap(({ children: [key, value] = [] }) =>
    key === undefined || value === undefined ? [] : [{ name: String(key.value), key, value }],
  );
}

function member(node: Node | undefined, name: string): Member | undefined {
  return membersOf(node).find((each) => each.name === name);
}

interface Section {
  readonly path: readonly string[];
  readonly node: Node;
  readonly project?: string;
}

function sectionsOf(root: Node, layout: Layout): readonly Section[] {
  const top = (name: string): readonly Section[] => {
    const node = member(root, name)?.value;
    return node === undefined ? [] : [{ path: [name], node }];
  };
  if (layout === 'servers') return top('servers');
  if (layout === 'mcp') return openCode(top('mcp'));
  if (layout !== 'claude') return top('mcpServers');
  const projects = membersOf(member(root, 'projects')?.value).flatMap(({ name, value }): readonly Section[] => {
    const node = member(value, 'mcpServers')?.value;
    return node === undefined ? [] : [{ path: ['projects', name, 'mcpServers'], node, project: name }];
  });
  return [...top('mcpServers'), ...projects];
}

/** OpenCode has its servers in `mcp`, and since version 2 in `mcp.servers`, which in the older form is a server of that name. */
function openCode(sections: readonly Section[]): readonly Section[] {
  return sections.flatMap(({ path, node }) => {
    const inner = member(node, 'servers')?.value;
    const isServer = ['type', 'command', 'url'].some((name) => {
      const type = member(inner, name)?.value.type;
      return type === 'string' || type === 'array';
    });
    if (inner?.type !== 'object' || isServer) return [{ path, node }];
    return [{ path: [...path, 'servers'], node: inner }, ...withoutContainer({ path, node })];
  });
}

function withoutContainer({ path, node }: Section): readonly Section[] {
  const others = (node.children ?? []).filter(({ children: [key, value] = [] }) => {
    const isServer = member(value, 'command') !== undefined || member(value, 'url') !== undefined;
    return key?.value !== 'servers' && isServer;
  });
  return others.length === 0 ? [] : [{ path, node: { ...node, children: others } }];
}

function entriesOf(text: string, { path, node, project }: Section): readonly { at: number; entry: Entry }[] {
  return membersOf(node).map(({ name, value }) => {
    const map = toValue(value);
    const entry: Entry = {
      path: [...path, name],
      name,
      project,
      launch: map instanceof Map ? launchOf(text, value, map) : { kind: 'odd', why: 'its entry is no object' },
      tools: map instanceof Map ? toolsIn(map) : [],
    };
    return { at: value.offset, entry };
  });
}

function launchOf(text: string, node: Node, map: ReadonlyMap<unknown, unknown>): Launch {
  if (hasUrl(map)) return { kind: 'url' };
  const command = member(node, 'command');
  const args = member(node, 'args');
  if (command === undefined) return { kind: 'odd', why: 'it has no command' };
  if (command.value.type === 'array') {
    if (args !== undefined) return { kind: 'odd', why: 'its command is a list and it has args too' };
    return { kind: 'line', words: listOf(text, command) };
  }
  if (command.value.type !== 'string') return { kind: 'odd', why: 'its command is no text' };
  if (args !== undefined && args.value.type !== 'array') return { kind: 'odd', why: 'its args are no list' };
  const list = args === undefined ? undefined : listOf(text, args);
  return { kind: 'split', command: literalOf(text, command.value), args: list, gap: gapAfter(text, command) };
}

function literalOf(text: string, { offset, length, value }: Node): Literal {
  return { value: String(value), raw: text.slice(offset, offset + length), start: offset, end: offset + length };
}

function listOf(text: string, { key, value: { offset, length, children = [] } }: Member): LiteralList {
  const texts = children.every(({ type }) => type === 'string');
  const items = texts ? children.map((child) => literalOf(text, child)) : undefined;
  const comma = /,\s*$/.exec(text.slice(0, key.offset));
  const end = offset + length;
  return { start: offset, end, items, whole: comma === null ? undefined : { start: comma.index, end } };
}

/** `args` is written as `command` is: on a line of its own where that stands on one, with the same signs around the colon. */
function gapAfter(text: string, { key, value }: Member): Gap {
  const lead = /\r?\n[ \t]*$/.exec(text.slice(0, key.offset))?.[0] ?? ' ';
  const colon = text.slice(key.offset + key.length, value.offset);
  const plain = /^\s*:[ \t]*$/.test(colon) ? colon : ': ';
  return { offset: value.offset + value.length, before: `,${lead}"args"${plain}` };
}

/** `CommaExpected` as `comma expected`. */
function words(code: string): string {
  return code.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
}
