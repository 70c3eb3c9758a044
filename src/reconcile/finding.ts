/**
 * How one tag or mount stands. In agreement: `confirmed`; `expired`, whose event is there while the journal begins later; `explained`, which a
 * call that was never sent left behind. `differs`: listed, though not with the number, stamp or name of the receipt. In the log alone:
 * `missing`; `lost`, whose event is there and whose checkpoint is not, though the journal reaches back so far; `no_event`, the other way
 * round. On the appliance alone: `extra`. And `not_compared`.
 */
export const STATUSES = [
  'confirmed',
  'expired',
  'explained',
  'differs',
  'no_event',
  'lost',
  'missing',
  'extra',
  'not_compared',
] as const;
export type Status = (typeof STATUSES)[number];

/** Those in which the log and the appliances disagree. */
export const DIFFERS: ReadonlySet<Status> = new Set(['differs', 'no_event', 'lost', 'missing', 'extra']);

/** `at` is the appliance's clock for what the appliance tells of, else the log's. */
export interface Finding {
  readonly status: Status;
  readonly kind: ApplianceKind;
  readonly site: string;
  readonly vpg: string;
  readonly tag?: string | undefined;
  readonly at: string;
  readonly checkpointIdentifier?: string | undefined;
  /** The calls whose records tell of it; several share a tag. */
  readonly calls: readonly string[];
  /** Who did it by the appliance's events. */
  readonly user?: string | undefined;
  readonly checkpoint?: CheckpointState | undefined;
  readonly event?: EventState | undefined;
  readonly why: string;
}

type ApplianceKind = 'tag' | 'mount';
export type CheckpointState = 'listed' | 'expired' | 'lost' | 'not_compared';
export type EventState = 'found' | 'none' | 'not_compared';

/** What could not be looked at, beside single findings. */
export interface Gap {
  readonly what: 'site' | 'events' | 'accounts' | 'journal' | 'log' | 'vm';
  readonly name: string;
  readonly why: string;
}

export interface Comparison {
  readonly findings: readonly Finding[];
  readonly gaps: readonly Gap[];
  /** Tags and mounts by other accounts, which do not look like the proxy's. */
  readonly others: { readonly tags: number; readonly mounts: number };
}
