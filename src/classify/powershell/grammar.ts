import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { Language, Parser } from 'web-tree-sitter';
import { copyTree, Distrusted, type Syntax } from './syntax.js';

/** SHA-256 of the grammar of tree-sitter-pwsh 0.38.1 that the rules were written against. */
const DIGEST = 'a85c22589ca45d3e0ef3e1868fd8caab40f1fb05483cdd5828fc9d9ff41fdc55';
const PARSE_MS = 150;
/** Parsed once at the start, so that the first call does not wait for the grammar's own start. */
const WARM_UP =
  "Get-Item 'a' | Where-Object { $_.Name -eq \"$x\" } | Select-Object @{n='b';e={[math]::Round(1GB)}} 2>&1";

type State =
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'ready'; readonly parser: Parser };

let state: State = { kind: 'absent' };
let loading: Promise<void> | undefined;

/** Loads the grammar of PowerShell once. Resolves also where that fails: then every PowerShell command stays `unknown`. */
export function preparePowerShell(): Promise<void> {
  loading ??= load().then(
    (parser) => {
      state = { kind: 'ready', parser };
    },
    (error: unknown) => {
      state = { kind: 'failed', why: error instanceof Error ? error.message : String(error) };
    },
  );
  return loading;
}

async function load(): Promise<Parser> {
  const bytes = await readGrammar();
  if (createHash('sha256').update(bytes).digest('hex') !== DIGEST) throw new Error('its file is not the expected one');
  // Optimising a grammar of this size takes some 20 s of processor time, and a process that ends waits for it; the optimizing
  // compiler of Node 24 dies of it ("out of memory: Zone") even so, unless no function may go there.
  for (const flag of ['--liftoff-only', '--wasm-tier-up-filter=0']) setFlagsFromString(flag);
  await Parser.init();
  const parser = new Parser();
  parser.setLanguage(await Language.load(bytes));
  parser.parse(WARM_UP)?.delete();
  return parser;
}

/** Whether the grammar is loaded, or known to be not to be had. */
export function grammarIsSettled(): boolean {
  return state.kind !== 'absent';
}

/** The build puts the file beside this one; from the sources it is in the package. */
async function readGrammar(): Promise<Uint8Array> {
  try {
    return await readFile(new URL('tree-sitter-powershell.wasm', import.meta.url));
  } catch {
    return await readFile(new URL(import.meta.resolve('tree-sitter-pwsh/tree-sitter-powershell.wasm')));
  }
}

export type Parsed =
  | { readonly kind: 'tree'; readonly root: Syntax }
  | { readonly kind: 'refused'; readonly why: string };

/** The syntax tree of a text without tabs and carriage returns, or why there is none that can be trusted. */
export function parsePowerShell(source: string): Parsed {
  if (state.kind === 'absent') return refused('the grammar of PowerShell is not loaded yet');
  if (state.kind === 'failed') return refused(`the grammar of PowerShell could not be loaded: ${state.why}`);
  const { parser } = state;
  const end = performance.now() + PARSE_MS;
  const tree = parser.parse(source, null, { progressCallback: () => performance.now() > end });
  if (tree === null) {
    parser.reset();
    return refused('it takes too long to parse');
  }
  const cursor = tree.walk();
  try {
    if (tree.rootNode.hasError) return refused('it cannot be parsed');
    return { kind: 'tree', root: copyTree(cursor, source) };
  } catch (error) {
    if (error instanceof Distrusted) return refused(error.message);
    throw error;
  } finally {
    cursor.delete();
    tree.delete();
  }
}

function refused(why: string): Parsed {
  return { kind: 'refused', why };
}
