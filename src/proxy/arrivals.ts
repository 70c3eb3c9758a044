/** A call's place in the order in which the calls of its session came. */
export interface Place {
  /** Resolves when every call that came before has left. */
  turn(): Promise<void>;
  /** Its tag is asked for, or it needs none, or a human is asked first: later calls need not wait for it. Further calls do nothing. */
  leave(): void;
}

interface Standing extends Place {
  /** Called when it is the first; absent where nobody waits for that. */
  first?: () => void;
}

/** Lets the calls of each session ask for their tags in the order in which they came, though each is looked up in its own time. */
export class Arrivals {
  readonly #lines = new Map<string, Set<Standing>>();

  arrive(session: string): Place {
    const line = this.#lines.get(session) ?? new Set();
    this.#lines.set(session, line);
    const place: Standing = {
      turn: () =>
        new Promise((resolve) => {
          place.first = resolve;
          if (!line.has(place)) resolve();
          else callFirst(line);
        }),
      leave: () => {
        if (!line.delete(place)) return;
        place.first?.();
        if (line.size === 0) this.#lines.delete(session);
        else callFirst(line);
      },
    };
    line.add(place);
    return place;
  }
}

function callFirst(line: ReadonlySet<Standing>): void {
  const [first] = line;
  first?.first?.();
}
