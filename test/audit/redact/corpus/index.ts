import { HOSTILE_CMD_LINES, HOSTILE_LINES, HOSTILE_POWERSHELL_LINES } from './hostile-lines.js';
import { commands, type Planted } from './planted.js';
import { POSIX_LINES } from './posix-lines.js';
import { SHAPE_LINES } from './shape-lines.js';
import { STRUCTURED } from './structured.js';
import { TEXTS } from './texts.js';
import { CMD_LINES, POWERSHELL_LINES } from './windows-lines.js';

export type { Planted } from './planted.js';

/** Everything that is planted: one call each. */
export const CORPUS: readonly Planted[] = [
  ...commands('bash', POSIX_LINES),
  ...commands('powershell', POWERSHELL_LINES),
  ...commands('cmd', CMD_LINES),
  ...commands('bash', SHAPE_LINES),
  ...commands('arguments', TEXTS),
  ...STRUCTURED,
  ...commands('bash', HOSTILE_LINES),
  ...commands('powershell', HOSTILE_POWERSHELL_LINES),
  ...commands('cmd', HOSTILE_CMD_LINES),
];

/** The forms in which a secret could leave: as it is, escaped or encoded. Those in base64 are cut where their bytes meet others. */
export function formsOf(secret: string): readonly string[] {
  const forms = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)];
  const encoded = (['utf8', 'utf16le'] as const).flatMap((encoding) =>
    [0, 1, 2].map((shift) => {
      const padded = Buffer.concat([Buffer.alloc(shift), Buffer.from(secret, encoding)]);
      const text = padded.toString('base64').replaceAll('=', '');
      return text.slice(shift === 0 ? 0 : shift + 1, padded.length % 3 === 0 ? undefined : -1);
    }),
  );
  const hex = (['utf8', 'utf16le'] as const).map((encoding) => Buffer.from(secret, encoding).toString('hex'));
  return [...new Set([...forms, ...encoded, ...hex])];
}
