import type { Knobs } from '../knobs.js';

/** A moment in world time; checkpoints show whole seconds. */
export class Moment {
  readonly ms: number;
  readonly whole: boolean;

  constructor(ms: number, whole = false) {
    this.ms = ms;
    this.whole = whole;
  }
}

/** JSON text in the casing and date form of the knobs, every moment moved by the appliance's skew. */
export function render(value: unknown, knobs: Knobs): string {
  return JSON.stringify(shape(value, knobs));
}

function shape(value: unknown, knobs: Knobs): unknown {
  if (value instanceof Moment) return date(value, knobs);
  if (Array.isArray(value)) return value.map((item) => shape(item, knobs));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [knobs.casing === 'camel' ? camel(key) : key, shape(member, knobs)]),
  );
}

function date(moment: Moment, knobs: Knobs): string {
  const ms = moment.ms + knobs.skewMs;
  const shown = moment.whole ? Math.floor(ms / 1000) * 1000 : ms;
  if (knobs.dates === 'msdate') return `/Date(${shown})/`;
  const text = new Date(shown).toISOString();
  return moment.whole ? text.replace('.000Z', 'Z') : text;
}

/** Lower-cases the leading capitals but the last of a run that a small letter follows: `VmName` vmName, `IOPs` ioPs. */
export function camel(key: string): string {
  const run = /^[A-Z]+/.exec(key)?.[0] ?? '';
  const count = run.length > 1 && run.length < key.length ? run.length - 1 : run.length;
  return key.slice(0, count).toLowerCase() + key.slice(count);
}
