/** Records in one piece of work: few enough that a call beside it does not wait noticeably. */
const SLICE = 16;

/** What `each` makes of the items, in order, with a turn of the event loop after every few of them. */
export async function inSlices<T, R>(items: readonly T[], each: (item: T) => readonly R[]): Promise<R[]> {
  const all: R[] = [];
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % SLICE === 0) await new Promise((resolve) => setImmediate(resolve));
    all.push(...each(item));
  }
  return all;
}
