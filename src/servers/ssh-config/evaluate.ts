import { includedFiles } from './files.js';
import { type Active, both, judgeMatch } from './match.js';
import { matchesHostLine } from './patterns.js';
import type { Places } from './places.js';
import { readLine } from './words.js';

/** Options that say where a connection goes. `maybe`: it counts only where something holds that is not known. */
export interface Option {
  readonly keyword: string;
  readonly args: readonly string[];
  readonly maybe?: string | undefined;
}

/** The first line of each option decides; lines of which it is not known whether they count come with those before and behind them. */
export interface Evaluated {
  readonly options: ReadonlyMap<string, readonly Option[]>;
  /** Why the whole cannot be judged. */
  readonly stop?: string | undefined;
}

/** Files and lines in the order in which ssh(1) reads them. */
export type Source =
  | { readonly kind: 'file'; readonly path: string; readonly base: string }
  | { readonly kind: 'option'; readonly text: string };

/** The options that are kept, each with the name it is kept by: of a jump host and a command the first line alone counts. */
const WANTED: ReadonlyMap<string, string> = new Map([
  ['hostname', 'hostname'],
  ['port', 'port'],
  ['proxyjump', 'proxy'],
  ['proxycommand', 'proxy'],
  ['canonicalizehostname', 'canonicalizehostname'],
  ['controlpath', 'controlpath'],
]);
const DEPTH = 16;
const MOST_LINES = 100_000;

/** Reads sources for one host as it was typed. Never rejects. */
export async function evaluate(host: string, sources: readonly Source[], places: Places): Promise<Evaluated> {
  const reader = new Evaluation(host, places);
  for (const source of sources) {
    if (source.kind === 'option') await reader.line(source.text, { active: 'yes', base: '', depth: 0, never: false });
    else await reader.file(source.path, source.base, 'yes', 0);
    if (reader.stop !== undefined) break;
  }
  return { options: reader.options, stop: reader.stop };
}

interface Place {
  active: Active;
  readonly base: string;
  readonly depth: number;
  /** Inside an `Include` of a part that does not count. */
  readonly never: boolean;
}

class Evaluation {
  readonly options = new Map<string, Option[]>();
  stop: string | undefined;
  readonly #host: string;
  readonly #places: Places;
  #lines = 0;

  constructor(host: string, places: Places) {
    this.#host = host;
    this.#places = places;
  }

  async file(path: string, base: string, outer: Active, depth: number): Promise<void> {
    const read = await this.#places.readText(path);
    if (read.kind === 'absent') return;
    if (read.kind === 'unreadable') {
      this.stop = `${path}: ${read.why}`;
      return;
    }
    const place: Place = { active: outer, base, depth, never: outer === 'no' };
    for (const text of read.text.split('\n')) {
      this.#lines += 1;
      if (this.#lines > MOST_LINES) this.stop = `${path}: it has too many lines`;
      if (this.stop !== undefined) return;
      await this.line(text, place, outer);
    }
  }

  async line(text: string, place: Place, outer: Active = 'yes'): Promise<void> {
    const line = readLine(text);
    if (line === undefined) return;
    if (line === 'broken') this.stop = 'a line of the ssh configuration cannot be read';
    else if (line.keyword === 'host') place.active = this.#hostLine(line.args, place, outer);
    else if (line.keyword === 'match') this.#match(line.args, place, outer);
    else if (line.keyword === 'include') await this.#include(line.args, place);
    else if (WANTED.has(line.keyword) && place.active !== 'no') this.#note(line.keyword, line.args, place.active);
  }

  #hostLine(patterns: readonly string[], { never }: Place, outer: Active): Active {
    if (never) return 'no';
    return both(outer, matchesHostLine(this.#host, patterns) ? 'yes' : 'no');
  }

  #match(args: readonly string[], place: Place, outer: Active): void {
    if (place.never) {
      place.active = 'no';
      return;
    }
    const judged = judgeMatch(args, { original: this.#host, host: this.#nameSoFar() });
    if (judged === 'broken') this.stop = 'a "Match" line of the ssh configuration cannot be read';
    else if (args.some((word) => /^!?final$/i.test(word)))
      this.stop = '"Match final" of the ssh configuration makes it be read again for another name';
    else place.active = both(outer, judged);
  }

  async #include(args: readonly string[], { active, base, depth }: Place): Promise<void> {
    if (depth >= DEPTH) {
      this.stop = '"Include" of the ssh configuration goes too deep';
      return;
    }
    for (const argument of args) {
      const files = await includedFiles(argument, base, this.#places);
      if (files === undefined) {
        if (active !== 'no') this.stop = 'an "Include" of the ssh configuration cannot be followed';
        continue;
      }
      for (const file of files) {
        if (this.stop === undefined) await this.file(file, base, active, depth + 1);
      }
    }
  }

  #note(keyword: string, args: readonly string[], active: Active): void {
    const name = WANTED.get(keyword) ?? keyword;
    const known = this.options.get(name) ?? [];
    const sure = known.findLast((option) => option.maybe === undefined);
    if (sure !== undefined && !(keyword === 'proxycommand' && isNoJump(sure))) return;
    const maybe = typeof active === 'object' ? active.maybe : undefined;
    this.options.set(name, [...known, { keyword, args, maybe }]);
  }

  /** What `Match host` is compared with: the typed name until a `HostName` counts. */
  #nameSoFar(): string | undefined {
    const [first] = this.options.get('hostname') ?? [];
    if (first === undefined) return this.#host;
    return first.maybe === undefined ? expandHost(first.args[0] ?? '', this.#host) : undefined;
  }
}

/** `ProxyJump none` rules later jump hosts out, but no later command. */
function isNoJump({ keyword, args }: Option): boolean {
  return keyword === 'proxyjump' && args.length === 1 && args[0]?.toLowerCase() === 'none';
}

/** `%h` is the typed name; undefined for what ssh(1) refuses. */
export function expandHost(name: string, host: string): string | undefined {
  if (/%(?![%h])/.test(name.replaceAll('%%', ''))) return undefined;
  return name.replace(/%([%h])/g, (_, token: string) => (token === 'h' ? host : '%'));
}
