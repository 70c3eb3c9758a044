/** What the audit log's records are read from: the chains on disk, which are the spool of every destination. */
export interface Spool {
  /** The chains that are there, by age, with the files of each in order. */
  chains(): Promise<readonly SpoolChain[]>;
  /** Whether a chain may hold something behind a place. */
  hasMore(chain: SpoolChain, after: Place | undefined): Promise<boolean>;
  /** The whole records of a chain behind a place, in order. Ends where the chain ends at that moment. */
  read(chain: SpoolChain, after?: Place): AsyncIterable<Spooled>;
}

export interface SpoolChain {
  readonly name: string;
  readonly files: readonly string[];
}

/** Where a record stands: its number and hash in the chain, its file, and the offset after its line. */
export interface Place {
  readonly seq: number;
  readonly hash: string;
  readonly file: string;
  readonly end: number;
  /** None can follow in its file. */
  readonly last?: boolean | undefined;
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** A record with its line as it was written, without line end. */
export interface Spooled {
  readonly place: Place;
  readonly text: string;
  readonly record: JsonObject;
}
