import { createHash } from 'node:crypto';

/** Arguments of a call with a secret planted in them, and a part that must stay readable in its record. */
export interface Planted {
  readonly title: string;
  readonly shell: 'bash' | 'powershell' | 'cmd' | 'arguments';
  readonly args: Readonly<Record<string, unknown>>;
  readonly secret: string;
  readonly keep: string;
}

/** Stands for the secret in a line. */
const PLACE = '§';
/** How a secret looks: its letters are made from where it is planted, so that each one is found again as this one. */
type Kind = 'word' | 'marks' | 'hex40' | 'b64' | 'upper16' | 'digits8';

/** One line: the text with `§` for the secret, what stays readable, and what the secret looks like (or the secret itself). */
export type Line = readonly [text: string, keep: string, kind?: Kind | { readonly is: string }];

function letters(seed: string, alphabet: string, length: number): string {
  const bytes = [0, 1, 2].flatMap((part) => [...createHash('sha256').update(`${seed} ${part}`).digest()]);
  return bytes
    .slice(0, length)
    .map((byte) => alphabet.charAt(byte % alphabet.length))
    .join('');
}

const ALNUM = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';

/** The secret of a place. */
export function secretFor(seed: string, kind: Kind = 'word'): string {
  if (kind === 'hex40') return letters(seed, '0123456789abcdef', 40);
  if (kind === 'upper16') return letters(seed, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 16);
  if (kind === 'digits8') return letters(seed, '123456789', 8);
  if (kind === 'b64') return `${letters(seed, ALNUM, 42)}Q`;
  if (kind === 'marks')
    return `W${letters(seed, ALNUM, 6)}-${letters(seed, '.+~^_', 2)}${letters(seed, '23456789', 3)}x`;
  return `K${letters(seed, ALNUM, 15)}`;
}

/** The line as it is sent, and its secret. */
function fill([text, , kind]: Line): { readonly text: string; readonly secret: string } {
  const secret = typeof kind === 'object' ? kind.is : secretFor(text, kind);
  return { text: text.replaceAll(PLACE, secret), secret };
}

export function commands(shell: Planted['shell'], lines: readonly Line[]): readonly Planted[] {
  return lines.map((line) => {
    const { text, secret } = fill(line);
    return { title: line[0], shell, args: { command: text }, secret, keep: line[1] };
  });
}
