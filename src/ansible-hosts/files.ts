/** What stands at a path, links followed. `executable`: anybody may run it. */
export interface Entry {
  readonly kind: 'file' | 'directory' | 'other' | 'none';
  readonly executable: boolean;
  /** Anybody may write to it. */
  readonly open: boolean;
  /** When it was last written, in milliseconds since 1970. */
  readonly modified: number;
}

/** Reads files as data. Rejects with CannotTell for what is no ordinary file or directory, or larger than anybody writes by hand. */
export interface Files {
  entry(path: string): Promise<Entry>;
  read(path: string): Promise<string>;
  /** The first bytes of a file, as far as they are text; empty where there is none. */
  start(path: string): Promise<string>;
  /** The names in a directory, sorted by their bytes. */
  list(path: string): Promise<readonly string[]>;
}
