import type { Checkpoint } from './receipt.js';

/** What the question about a recovery shows. */
export interface RecoveryAbout {
  readonly agent: string;
  readonly vm: string;
  readonly vpg: string;
  readonly path: string;
  readonly checkpoint: Checkpoint;
  /** Whole minutes of changes after the checkpoint, which the content does not have. */
  readonly minutesLost: number;
  /** Not the content is asked for, but its hash and how it differs from the newest checkpoint's copy. */
  readonly preview?: boolean | undefined;
}

/** One row of a folder's listing. `note`: why the appliance gives no content of it, as for links. */
export interface RecoveredEntry {
  readonly name: string;
  readonly type: 'file' | 'folder' | 'other';
  readonly size?: number | undefined;
  readonly modifiedAt?: string | undefined;
  readonly note?: string | undefined;
}

/** `volumePath` is where the mount showed it; `mountedAt` where the guest mounts that volume, if not as its root. */
interface Place {
  readonly volumePath: string;
  readonly mountedAt?: string | undefined;
}

/** What a recovery brought: everything but `file`, `folder` and `preview` is a stop that says why. */
export type Recovered =
  | (Place & {
      readonly kind: 'file';
      readonly bytes: Buffer;
      readonly size: number;
      readonly sha256: string;
      readonly modifiedAt?: string | undefined;
    })
  | (Place & {
      readonly kind: 'folder';
      readonly entries: readonly RecoveredEntry[];
      readonly page: number;
      readonly more: boolean;
    })
  | (Place & {
      readonly kind: 'preview';
      readonly type: 'file' | 'folder';
      readonly size?: number | undefined;
      readonly modifiedAt?: string | undefined;
    })
  | (Place & { readonly kind: 'too_large'; readonly size: number; readonly modifiedAt?: string | undefined })
  | {
      readonly kind: 'not_found';
      readonly looked: readonly string[];
      readonly maybe: readonly string[];
      /** What else was learnt on the way. */
      readonly note?: string | undefined;
    }
  | { readonly kind: 'ambiguous'; readonly found: readonly string[] }
  | { readonly kind: 'refused'; readonly why: string };
