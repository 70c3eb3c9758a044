/** What the log says of one tag: the calls whose receipts name it. `timestamp` is the appliance's clock. `asked`: it is in the range asked for. */
export interface ClaimedTag {
  readonly name: string;
  readonly vpg: string;
  readonly vpgIdentifier: string;
  readonly site: string;
  readonly checkpointIdentifier: string;
  readonly timestamp: string;
  readonly calls: readonly string[];
  readonly asked: boolean;
}

/** The time of a call on the proxy's clock, in milliseconds, from its intent to its outcome. */
interface Span {
  readonly call: string;
  readonly from: number;
  readonly to: number;
  readonly vpgs: ReadonlySet<string>;
}

/** A call that may have had a tag inserted, while no receipt of it names one: it was never sent, or let through after all. */
export interface Attempt extends Span {
  readonly agent: string;
  readonly vms: readonly string[];
  /** Server and tool, as its tag begins to say; absent for the proxy's own tools, whose callers choose the words. */
  readonly action: string | undefined;
}

/** A recovery. `gaveBytes`: its record says what was read, so that there was a mount. */
export interface ClaimedMount extends Span {
  readonly at: string;
  readonly tool: string;
  readonly gaveBytes: boolean;
  readonly asked: boolean;
}

/** What the log says as far as an appliance can know of it. `oldest`: its first call, in milliseconds. */
export interface Claims {
  readonly tags: readonly ClaimedTag[];
  readonly attempts: readonly Attempt[];
  readonly mounts: readonly ClaimedMount[];
  readonly oldest: number | undefined;
  /** Calls in the range asked for, and those of them without a tag to expect. */
  readonly counts: { readonly calls: number; readonly waived: number; readonly observed: number };
}

/** Where events name no tag, and for clocks that drift: so far may two times lie from each other that mean the same, in milliseconds. */
export const TOLERANCE_MS = 180_000;
