import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { byChain, partOf } from './audit/names.js';
import { logFiles } from './audit/read.js';
import { chainRecords } from './audit/records.js';
import type { Place, Spool, SpoolChain } from './export/spool.js';

/** The audit log in `dir` as the spool of the export. A directory that nobody has made holds no chain. */
export function auditSpool(dir: string): Spool {
  let listed: { readonly at: bigint; readonly chains: readonly SpoolChain[] } | undefined;
  return {
    chains: async () => {
      const stat = await lstat(dir, { bigint: true }).catch(() => undefined);
      if (stat === undefined) return [];
      // A change within the clock's tick could be missed for good: a young time is not trusted.
      if (listed?.at === stat.mtimeNs && Date.now() - Number(stat.mtimeMs) > 10_000) return listed.chains;
      const chains = [...byChain(await logFiles(dir))].map(([name, files]) => ({
        name,
        files: files.map(({ file }) => file),
      }));
      listed = { at: stat.mtimeNs, chains };
      return chains;
    },
    hasMore: async ({ files }, after) => {
      const newest = files.at(-1);
      if (newest === undefined) return false;
      if (newest !== after?.file) return true;
      if (after.last === true) return false;
      const stat = await lstat(join(dir, newest)).catch(() => undefined);
      return stat !== undefined && stat.size > after.end;
    },
    read: async function* (chain, after) {
      const position = after && { chain: chain.name, ...after };
      for await (const { position: at, record, bytes } of chainRecords(dir, chain.files.map(partOf), position)) {
        yield { place: placeOf(at, record['kind'] === 'end'), text: bytes.toString('utf8'), record };
      }
    },
  };
}

function placeOf({ seq, hash, file, end }: Place, last: boolean): Place {
  return { seq, hash, file, end, ...(last && { last }) };
}
