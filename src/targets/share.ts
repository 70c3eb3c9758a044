import { readShareName } from '../domain/share-name.js';

/** One spelling of a share's name; undefined for a text that is none. An operator's entry for it stands for that share alone. */
export function shareKey(name: string): string | undefined {
  const read = readShareName(name);
  return read.kind === 'share' && read.share !== '' ? `\\\\${read.host}\\${read.share}` : undefined;
}

/**
 * Why the name of a share does not tell which machine its files lie on, whatever the machine in it is called. An entry of the operator's for
 * the share itself excuses it. An administrative share (`C$`) is a disk of the machine that is named.
 */
export function shareDoubt(name: string): string | undefined {
  const read = readShareName(name);
  if (read.kind === 'unclear') return 'it begins like the name of a share, and readers differ on the machine in it';
  if (read.kind !== 'share') return undefined;
  return /^(?:sysvol|netlogon)$/i.test(read.share) ? OF_DOMAIN : undefined;
}

const OF_DOMAIN = 'the share is that of a whole domain: each of its controllers gets what changes there';

/** What a share is told whose machine no VM is called like. */
export const NO_SHARE =
  'no VM has the name of its machine; where that is the name of a domain (DFS), the files may lie on any of several machines';
