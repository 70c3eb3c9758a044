/** Reading values of parsed files: nothing is inherited, and what has another shape is not there. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

export function own(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function entries(value: unknown): readonly (readonly [string, unknown])[] {
  return isRecord(value) ? Object.entries(value) : [];
}

/** A text that is not empty. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A port, as a number or as digits. */
export function port(value: unknown): number | undefined {
  const number = typeof value === 'string' ? Number.parseInt(value, 10) : Number(value);
  return Number.isInteger(number) && number > 0 && number < 65_536 ? number : undefined;
}
