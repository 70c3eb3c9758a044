/** A point in a VPG's journal. `timestamp` is ISO 8601 UTC on the appliance's clock, whole seconds on the wire. */
export interface Checkpoint {
  readonly checkpointIdentifier: string;
  readonly timestamp: string;
  readonly tag?: string | undefined;
}

export interface ReceiptVpg {
  readonly name: string;
  readonly vpgIdentifier: string;
  readonly site: string;
  readonly tag: { readonly name: string; readonly checkpointIdentifier: string; readonly timestamp: string };
  /** The recovery point that surely precedes the change. */
  readonly recoverFrom: { readonly checkpointIdentifier: string; readonly timestamp: string; readonly why: string };
}

export interface ReceiptVm {
  readonly name: string;
  readonly vmIdentifier: string;
  readonly vpgs: readonly ReceiptVpg[];
}

/** Joins a call, its checkpoints and a later recovery. Member names are fixed: clients and scripts read them. */
export interface Receipt {
  readonly id: string;
  readonly change: string;
  readonly session: string;
  readonly agent: string;
  readonly server: string;
  readonly tool: string;
  readonly digest: string;
  readonly pinnedAt: string;
  readonly forwardedAt?: string | undefined;
  readonly lastPossibleChangeAt?: string | undefined;
  readonly permit: 'pinned' | 'waived';
  readonly waivedBy?: string | undefined;
  readonly mode?: 'observe' | undefined;
  readonly consistency: 'crash';
  readonly covers: 'vm' | 'partly' | 'elsewhere';
  readonly sharedWith?: readonly string[] | undefined;
  readonly inFlight?: readonly string[] | undefined;
  readonly simulated?: boolean | undefined;
  /** What makes its recovery points short-lived; each a sentence. */
  readonly warnings?: readonly string[] | undefined;
  readonly vms: readonly ReceiptVm[];
}
