/** A tool as the client offers it; `namespace`: what a client of OpenAI's sends beside its name. */
export interface Offered {
  readonly name: string;
  readonly namespace?: string | undefined;
}

/** What the model says: the call of a tool, or a last text. */
export type Says =
  | { readonly call: Offered; readonly args: Readonly<Record<string, unknown>> }
  | { readonly text: string };

/** A model's API: which requests are its own, what a client offers and what came back from its tools, and how an answer is written. */
export interface Speech {
  readonly path: RegExp;
  offered(body: Body): readonly Offered[];
  /** What the client's tools answered, in order, as JSON. */
  results(body: Body): readonly string[];
  /** Text of an event stream. */
  answer(says: Says, id: string): string;
}

export type Body = Readonly<Record<string, unknown>>;

/** Objects below a key, whatever stands there. */
export function listOf(value: unknown): readonly Body[] {
  return Array.isArray(value) ? (value as readonly Body[]).filter((each) => typeof each === 'object') : [];
}

/** Server-sent events; `named`: with their type as the name of the event too. */
export function events(values: readonly object[], named = false): string {
  return values
    .map((value) => `${named ? `event: ${(value as { type: string }).type}\n` : ''}data: ${JSON.stringify(value)}\n\n`)
    .join('');
}
