/** A connection that a call opened, as later calls of its session name it. `plain`: commands run in a shell of their own each time. */
export interface Opened {
  readonly handle: string;
  readonly hosts: readonly string[];
  readonly plain: boolean;
}

const MOST = 10_000;

/**
 * The connections that one session's calls have opened. A name that stood for several hosts stands for all of them from then on: whether
 * an older one was closed in the meantime is the server's knowledge alone.
 */
export class Connections {
  #size = 0;
  readonly #opened = new Map<string, Map<string, Opened>>();
  #unseen = false;

  /** `call` is the one that opens it; to add a call's connection again changes nothing. */
  add(call: string, opened: Opened): void {
    const all = this.#opened.get(opened.handle) ?? new Map<string, Opened>();
    if (!all.has(call)) this.#size += 1;
    // Beyond this nothing is kept, and no name is sure any more.
    if (this.#size > MOST) this.addUnseen();
    else this.#opened.set(opened.handle, all.set(call, opened));
  }

  /** The call opened nothing after all. */
  remove(call: string): void {
    for (const [handle, all] of this.#opened) {
      if (!all.delete(call)) continue;
      this.#size -= 1;
      if (all.size === 0) this.#opened.delete(handle);
    }
  }

  /** Connections were opened that the call does not name: from now on a name may stand for anything. */
  addUnseen(): void {
    this.#unseen = true;
  }

  /** Undefined where it is not known what the name stands for. */
  find(handle: string): Opened | undefined {
    const all = [...(this.#opened.get(handle)?.values() ?? [])];
    if (this.#unseen || all.length === 0) return undefined;
    const hosts = [...new Set(all.flatMap((opened) => opened.hosts))];
    return { handle, hosts, plain: all.every((opened) => opened.plain) };
  }

  /** Whether the name may stand for a connection at all. */
  mayBeOpen(handle: string): boolean {
    return this.#unseen || this.#opened.has(handle);
  }
}
