/** The modules of one collection, as words in texts. A name in none of them is not known. */
export interface Collection {
  readonly name: string;
  /** They change nothing on the host they run on. */
  readonly read_only?: string;
  /** Of those, the ones that ansible-core does not find by their short name. */
  readonly unrouted?: string;
  /** They change the host; with `--check` they only say what they would change. */
  readonly predicts?: string;
  readonly mutating?: string;
  /** Their arguments decide, or nothing that can be seen does. */
  readonly depends?: string;
}
