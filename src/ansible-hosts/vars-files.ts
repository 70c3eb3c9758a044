import { extname, join } from 'node:path';
import { cannotTell } from './cannot-tell.js';
import type { Files } from './files.js';
import { readTopLevel } from './read-yaml.js';
import { DECIDING, isDeciding, unclear, type Value, type Variables } from './variables.js';

const EXTENSIONS: readonly string[] = ['', '.yml', '.yaml', '.json'];
const MAX_DEPTH = 10;

/** The deciding variables that files give a group or a host. */
export interface VarsFiles {
  /** `kind`: the directory in `base` that has them. */
  of(base: string, kind: 'group_vars' | 'host_vars', name: string): Promise<Variables>;
}

/** Reads `group_vars` and `host_vars` beside inventories and playbooks. Each is read once. */
export function varsFiles(files: Files): VarsFiles {
  const read = new Map<string, Promise<Variables>>();
  return {
    of: (base, kind, name) => {
      const key = join(base, kind, name);
      const known = read.get(key) ?? readFor(join(base, kind), name, files);
      read.set(key, known);
      return known;
    },
  };
}

async function readFor(directory: string, name: string, files: Files): Promise<Variables> {
  if (name.startsWith('/') || (await files.entry(directory)).kind !== 'directory') return new Map();
  if (/[/\\\0]/.test(name) || name === '..' || name === '.')
    cannotTell('a name in the inventory leads to another directory');
  const paths = await find(join(directory, name), files);
  const variables = new Map<string, Value>();
  for (const path of paths) for (const [key, value] of await readFile(path, files)) variables.set(key, value);
  return variables;
}

/** The first that is there, of a directory or file of that name and files with an extension. */
async function find(path: string, files: Files): Promise<readonly string[]> {
  for (const extension of EXTENSIONS) {
    const { kind } = await files.entry(path + extension);
    if (kind === 'directory') return within(path + extension, files, 0);
    if (kind !== 'none') return [path + extension];
  }
  return [];
}

async function within(directory: string, files: Files, depth: number): Promise<readonly string[]> {
  if (depth > MAX_DEPTH) cannotTell('files of variables lie too deep');
  const found: string[] = [];
  for (const name of await files.list(directory)) {
    if (name.startsWith('.') || name.endsWith('~')) continue;
    const path = join(directory, name);
    const { kind } = await files.entry(path);
    if (kind === 'directory' && extname(name) === '') found.push(...(await within(path, files, depth + 1)));
    if (kind === 'file' && EXTENSIONS.includes(extname(name))) found.push(path);
  }
  return found;
}

async function readFile(path: string, files: Files): Promise<Variables> {
  const text = await files.read(path);
  // It may hold any of them.
  if (text.startsWith('$ANSIBLE_VAULT'))
    return new Map(DECIDING.map((name) => [name, unclear('a file of variables is encrypted')]));
  const read = readTopLevel(text, isDeciding);
  return read.kind === 'read' ? new Map(read.entries) : cannotTell(`a file of variables cannot be read: ${read.why}`);
}
