import { createRequire } from 'node:module';
import { isIPv4 } from 'node:net';
import type * as Yaml from 'yaml';
import type { Node, Scalar } from 'yaml';
import { HIDDEN_IN_YAML, isNestedDeep } from '../domain/yaml-text.js';
import { textValue, unclear, type Value } from './variables.js';

/** What a YAML text says, with mappings in their order. A `scalar` has a `text` where every reader takes it for one, a `flag` where it is a plain yes or no. */
export type Tree =
  | { readonly kind: 'map'; readonly entries: readonly (readonly [key: string, value: Tree])[] }
  | { readonly kind: 'list'; readonly items: readonly Tree[] }
  | { readonly kind: 'scalar'; readonly text?: string; readonly flag?: boolean; readonly value: Value }
  | { readonly kind: 'null' };

export type ReadTree =
  | { readonly kind: 'read'; readonly trees: readonly Tree[] }
  | { readonly kind: 'unreadable'; readonly why: string };

const MAX_DEPTH = 40;

let loaded: typeof Yaml | undefined;

/** Loaded with the first text: most servers have no inventory. */
function yaml(): typeof Yaml {
  loaded ??= createRequire(import.meta.url)('yaml') as typeof Yaml;
  return loaded;
}

/** Reads YAML 1.1 as ansible does, or says why it cannot be told. Two keys alike, anchors, merges, directives and odd tags are `unreadable`. */
export function readTree(text: string): ReadTree {
  return read(text, (nodes) => ({ kind: 'read', trees: nodes.map(treeOf) }));
}

/** The top-level keys of one mapping that `wanted` names, with their values; an empty text has none. What lies deeper is not looked at. */
export function readTopLevel(text: string, wanted: (key: string) => boolean): ReadTop {
  return read(text, ([root, ...more]) => {
    const { isMap, isScalar } = yaml();
    if (root === undefined || root === null || (isScalar(root) && root.value === null))
      return { kind: 'read', entries: [] };
    if (!isMap(root) || more.length > 0 || root.tag?.startsWith('!')) return unreadable('it is no mapping');
    const keys = root.items.map(({ key }) => (isScalar(key) ? key.value : key));
    if (keys.some((key) => key === '<<' || (typeof key === 'object' && key !== null)))
      return unreadable('it takes its keys from elsewhere');
    return { kind: 'read', entries: root.items.flatMap((pair) => wantedOf(pair, wanted)) };
  });
}

function wantedOf({ key, value }: Yaml.Pair<unknown, unknown>, wanted: (key: string) => boolean): [string, Value][] {
  const { isScalar } = yaml();
  const name = isScalar(key) ? key.value : undefined;
  if (typeof name !== 'string' || !wanted(name)) return [];
  return [[name, isScalar(value) ? scalarOf(value, value.tag).value : unclear('it is no text')]];
}

type ReadTop =
  | { readonly kind: 'read'; readonly entries: readonly (readonly [string, Value])[] }
  | { readonly kind: 'unreadable'; readonly why: string };

type Unreadable = ReadTree & { readonly kind: 'unreadable' };

function read<T>(text: string, take: (nodes: readonly (Node | null)[]) => T): T | Unreadable {
  if (text.startsWith('$ANSIBLE_VAULT')) return unreadable('it is encrypted');
  if (HIDDEN_IN_YAML.test(text)) return unreadable('it holds characters that cannot be seen');
  if (/^%/m.test(text)) return unreadable('it holds a directive');
  if (isNestedDeep(text, MAX_DEPTH, (all) => new (yaml().Lexer)().lex(all))) return unreadable('it is nested too deep');
  try {
    const parsed = yaml().parseAllDocuments(text, {
      version: '1.1',
      // The parser's own check takes a time quadratic in the keys.
      uniqueKeys: false,
      strict: true,
      logLevel: 'silent',
    });
    const documents: readonly Yaml.Document.Parsed[] = 'empty' in parsed ? [] : parsed;
    if (documents.some(({ errors }) => errors.length > 0)) return unreadable('it is no YAML');
    if (documents.some(hasTwins)) return unreadable('it has two keys alike');
    return take(documents.map(({ contents }) => contents));
  } catch (error) {
    return unreadable(error instanceof Odd ? error.message : 'it is no YAML');
  }
}

function hasTwins(document: Yaml.Document.Parsed): boolean {
  const { isScalar, visit } = yaml();
  let found = false;
  visit(document, {
    Map: (_, { items }) => {
      const keys = items.map(({ key }) => (isScalar(key) ? key.value : key));
      found ||= new Set(keys).size < keys.length;
      return found ? visit.BREAK : undefined;
    },
  });
  return found;
}

class Odd extends Error {}

function treeOf(node: unknown): Tree {
  const { isMap, isNode, isScalar, isSeq } = yaml();
  if (node === null || node === undefined) return { kind: 'null' };
  const tag = isNode(node) ? ownTag(node) : undefined;
  if (isScalar(node)) return node.value === null && tag === undefined ? nullOf(node) : scalarOf(node, tag);
  if (tag !== undefined || isAnchored(node)) throw new Odd('it holds tags or anchors');
  if (isMap(node)) return { kind: 'map', entries: node.items.map(({ key, value }) => [keyOf(key), treeOf(value)]) };
  return isSeq(node) ? { kind: 'list', items: node.items.map(treeOf) } : { kind: 'null' };
}

/** Or an alias of one that is. */
function isAnchored(node: unknown): boolean {
  const { isAlias, isNode } = yaml();
  return !isNode(node) || isAlias(node) || ('anchor' in node && node.anchor !== undefined);
}

function ownTag({ tag }: Node): string | undefined {
  return tag === undefined || USUAL.test(tag) ? undefined : tag;
}

const USUAL = /^tag:yaml\.org,2002:(?:str|map|seq|int|float|bool|null|timestamp)$/;

function nullOf(node: Scalar): Tree {
  if (node.anchor !== undefined) throw new Odd('it holds tags or anchors');
  return { kind: 'null' };
}

function keyOf(key: unknown): string {
  const { isScalar } = yaml();
  if (!isScalar(key)) throw new Odd('it has a key that is no text');
  const { text } = scalarOf(key, key.tag);
  if (text === undefined || text === '<<') throw new Odd('it has a key that is no plain text');
  return text;
}

function scalarOf(node: Scalar, tag: string | undefined): Tree & { readonly kind: 'scalar' } {
  if (node.anchor !== undefined) throw new Odd('it holds tags or anchors');
  if (tag === '!vault' || tag === '!vault-encrypted') return { kind: 'scalar', value: unclear('it is encrypted') };
  if (tag !== undefined && tag !== '!unsafe' && !USUAL.test(tag)) throw new Odd('it holds tags or anchors');
  const { value, source = '' } = node;
  if (typeof value === 'string') return textOf(value, node);
  if (typeof value === 'number' && /^(?:0|[1-9][0-9]{0,8})$/.test(source))
    return { kind: 'scalar', value: { kind: 'text', text: source } };
  const flag = typeof value === 'boolean' && /^(?:true|false)$/i.test(source) ? { flag: value } : {};
  return { kind: 'scalar', ...flag, value: unclear(SEVERAL) };
}

function textOf(text: string, { type, source = '' }: Scalar): Tree & { readonly kind: 'scalar' } {
  const plain = type === 'PLAIN' || type === undefined;
  return plain && !isPlainText(source)
    ? { kind: 'scalar', value: unclear(SEVERAL) }
    : { kind: 'scalar', text, value: textValue(text) };
}

const SEVERAL = 'its value can be read in more than one way';

/** Text without quotes that every reader of YAML takes for text: numbers and dates begin with a digit or a sign, and have few signs. */
function isPlainText(source: string): boolean {
  if (/^(?:y|n|yes|no|on|off|true|false|null|~|=|<<)$/i.test(source)) return false;
  return isIPv4(source) || /^[A-Za-z_/]/.test(source) || /[^0-9a-fxotzA-FXOTZ_:.+\- ,]/.test(source);
}

function unreadable(why: string): Unreadable {
  return { kind: 'unreadable', why };
}

/** The value of a key; undefined where there is none. */
export function member(tree: Tree, key: string): Tree | undefined {
  return tree.kind === 'map' ? tree.entries.find(([name]) => name === key)?.[1] : undefined;
}
