import type { Checkpoint } from './receipt.js';
import type { Vm, Vpg } from './target.js';

/** A tag's insert or a mount for reading, as an appliance recorded it. `at` is its clock; `user` is absent where it named nobody. */
export interface ApplianceEvent {
  readonly kind: 'tag' | 'mount';
  readonly site: string;
  readonly at: string;
  readonly text: string;
  readonly user?: string | undefined;
  /** Identifiers of the VPGs it was about; none where the appliance names none. */
  readonly vpgs: readonly string[];
}

/**
 * What one appliance recorded. `aheadMs`: its clock against this machine's. `from`: the oldest event of any kind that it gave;
 * what came before is not known, and nothing is where it is absent.
 */
export interface SiteEvents {
  readonly site: string;
  readonly siteIdentifier: string | undefined;
  readonly aheadMs: number;
  readonly answer:
    | { readonly kind: 'read'; readonly events: readonly ApplianceEvent[]; readonly from?: string | undefined }
    | { readonly kind: 'unread'; readonly why: string };
}

/** The tagged checkpoints that a VPG's journal lists, and how far it reaches back; `oldest` is absent where it is empty. */
export interface JournalTags {
  readonly vpg: Vpg;
  readonly answer:
    | { readonly kind: 'read'; readonly tagged: readonly Checkpoint[]; readonly oldest?: Checkpoint | undefined }
    | { readonly kind: 'unread'; readonly why: string };
}

/** What all appliances say; `silent`: sites that did not answer, and why. */
export interface ApplianceRecords {
  readonly vms: readonly Vm[];
  readonly journals: readonly JournalTags[];
  readonly sites: readonly SiteEvents[];
  readonly silent: readonly { readonly site: string; readonly why: string }[];
}
