import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';
import type { Document, Node } from 'yaml';
import { HIDDEN_IN_YAML, isNestedDeep } from '../../domain/yaml-text.js';

let loaded: typeof Yaml | undefined;

/** Loaded with the first text: most servers are never sent one, and the package is a tenth of the start. */
function yaml(): typeof Yaml {
  loaded ??= createRequire(import.meta.url)('yaml') as typeof Yaml;
  return loaded;
}

/** The documents of a YAML text as plain values, or why they cannot be told for sure. */
export type ReadYaml =
  | { readonly kind: 'read'; readonly documents: readonly unknown[] }
  | { readonly kind: 'unreadable'; readonly why: string };

const MAX_LENGTH = 200_000;
const MAX_ALIASES = 50;

const MAX_DEPTH = 32;

/** Reads YAML 1.1, the version of ansible. Two keys alike, tags of any kind, directives and bombs are `unreadable`. Never throws. */
export function readYaml(text: string): ReadYaml {
  if (text.length > MAX_LENGTH) return unreadable(`it is longer than ${MAX_LENGTH} characters`);
  if (HIDDEN_IN_YAML.test(text)) return unreadable('it holds characters that cannot be seen');
  if (/^%/m.test(text)) return unreadable('it holds a directive');
  if (isNestedDeep(text, MAX_DEPTH, (all) => new (yaml().Lexer)().lex(all))) return unreadable('it is nested too deep');
  try {
    return readDocuments(text);
  } catch {
    // More aliases than allowed, or one that holds itself.
    return unreadable('it cannot be parsed');
  }
}

function readDocuments(text: string): ReadYaml {
  const parsed = yaml().parseAllDocuments(text, { version: '1.1', uniqueKeys: true, strict: true, logLevel: 'silent' });
  const documents: readonly Document[] = 'empty' in parsed ? [] : parsed;
  for (const document of documents) {
    if (document.errors.length + document.warnings.length > 0) return unreadable('it cannot be parsed');
    if (isOdd(document)) return unreadable('it holds a tag, or what readers take in two ways');
  }
  const values = documents.map((document) => document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown);
  // Throws where a value holds itself.
  JSON.stringify(values);
  return { kind: 'read', documents: values };
}

/** Whether anything in it is not what it looks like, or is one thing to one reader of YAML and another to the next. */
function isOdd(document: Document): boolean {
  const { visit, isNode } = yaml();
  let odd = false;
  visit(document, (_, node) => {
    if (!isNode(node) || !isOddNode(node)) return undefined;
    odd = true;
    return visit.BREAK;
  });
  return odd;
}

/** A tag of its own (`!vault`, `!unsafe`, `!!python/…`), an anchor like `&a?text`, of which some of it may be the text, or `?text`, which may be a key. */
function isOddNode(node: Node): boolean {
  const { isAlias, isScalar } = yaml();
  if (isAlias(node)) return !/^[\w-]+$/.test(node.source);
  if (node.tag !== undefined || !/^[\w-]*$/.test(node.anchor ?? '')) return true;
  return isScalar(node) && node.type === 'PLAIN' && node.source?.startsWith('?') === true;
}

function unreadable(why: string): ReadYaml {
  return { kind: 'unreadable', why };
}
