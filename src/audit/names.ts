/** Names of log files. A process's chain is one file or, after rotations, several: `CHAIN.jsonl`, `CHAIN.000002.jsonl`, … */

const CHAIN = '[0-9]{8}T[0-9]{6}Z-[0-9]+-[0-9a-f]{16}';
const PART = String.raw`\.(?!00000[01])[0-9]{6}`;

/** What a log file of this format is called. */
export const LOG_NAME = new RegExp(`^(${CHAIN})(${PART})?\\.jsonl$`);
/** Files that the proxy itself puts into the directory: logs, logs in the making, indexes, the key of the redaction marks. */
export const OWN_NAME = new RegExp(
  `^(?:${CHAIN}(?:${PART})?\\.jsonl(?:\\.new|\\.index(?:\\.[0-9a-f]+)?)?|redaction\\.key(?:\\..*)?)$`,
);

/** One file of a chain; parts count from 1. */
export interface Part {
  readonly file: string;
  readonly chain: string;
  readonly part: number;
}

/** The name of a chain's part. */
export function fileOf(chain: string, part: number): string {
  return part === 1 ? `${chain}.jsonl` : `${chain}.${String(part).padStart(6, '0')}.jsonl`;
}

/** Chain and part that a name stands for; any other `.jsonl` is taken for the first part of a chain of its own. */
export function partOf(file: string): Part {
  const [, chain, part] = LOG_NAME.exec(file) ?? [];
  if (chain === undefined) return { file, chain: file.replace(/\.jsonl$/, ''), part: 1 };
  return { file, chain, part: part === undefined ? 1 : Number(part.slice(1)) };
}

/** The log files among these names: chain by chain, by the time at which each began, its parts in order. */
export function sortedParts(names: readonly string[]): readonly Part[] {
  return names
    .filter((name) => name.endsWith('.jsonl'))
    .map(partOf)
    .sort((a, b) => (a.chain === b.chain ? a.part - b.part : a.chain < b.chain ? -1 : 1));
}

/** The same files, a list for each chain. */
export function byChain(parts: readonly Part[]): ReadonlyMap<string, readonly Part[]> {
  const chains = new Map<string, Part[]>();
  for (const part of parts) chains.set(part.chain, [...(chains.get(part.chain) ?? []), part]);
  return chains;
}
