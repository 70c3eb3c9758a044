import { readContainer, utf8 } from '../scan.js';

/** A JSON value in a text that was decoded as latin1. */
export interface JsonValue {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * The JSON text of what several servers say of one thing: objects by member, at any depth; of other values `true` if one says so,
 * else the first. What only one of them says stays as it was written.
 */
export function union(values: readonly JsonValue[]): string {
  const [first] = values;
  if (first === undefined) return 'null';
  if (values.length === 1) return textOf(first);
  const objects = values.filter((value) => value.text[value.start] === '{');
  if (objects.length > 0) return `{${membersOf(objects).join(',')}}`;
  return values.some((value) => textOf(value) === 'true') ? 'true' : textOf(first);
}

function membersOf(objects: readonly JsonValue[]): string[] {
  const byName = new Map<string, JsonValue[]>();
  for (const { text, start } of objects) {
    for (const { name, valueStart, end } of readContainer(text, start)?.items ?? []) {
      const values = byName.get(name) ?? [];
      values.push({ text, start: valueStart, end });
      byName.set(name, values);
    }
  }
  return [...byName].map(([name, values]) => `${JSON.stringify(name)}:${union(values)}`);
}

function textOf({ text, start, end }: JsonValue): string {
  return utf8(text.slice(start, end));
}
