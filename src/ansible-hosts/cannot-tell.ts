/** Thrown where the hosts of a run cannot be known without running something, or where ansible itself would refuse. The message is for people: no content of a file. */
export class CannotTell extends Error {
  override readonly name = 'CannotTell';
}

/** Ends the reading with a reason. */
export function cannotTell(why: string): never {
  throw new CannotTell(why);
}

/** A name that came from a file or a caller, where it can be shown as it is; else a word for it. */
export function shown(name: string, otherwise: string): string {
  return /^[A-Za-z0-9][A-Za-z0-9._:-]{0,100}$/.test(name) ? name : otherwise;
}
