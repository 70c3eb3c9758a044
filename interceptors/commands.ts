import type { Operation, Shell } from '../src/domain/call.js';
import { doubt, isTexts, type Slot } from './roles.js';
import { words } from './words.js';

const WORD = /^[A-Za-z0-9_./:@+=,-]+$/;

/** What the command-carrying values of a call run. A list is judged both as one command line and, where its name is a plural, as many. */
export function commandOperations(slots: readonly Slot[], language: Shell): readonly Operation[] {
  const args = slots.filter((slot) => slot.role === 'args' && !isEmpty(slot.value));
  const commands = slots.filter((slot) => slot.role === 'command' || slot.role === 'script');
  const carrying = commands.filter((slot) => !isEmpty(slot.value));
  const [only] = carrying;
  if (args.length > 0 && (carrying.length !== 1 || only === undefined || typeof only.value !== 'string')) {
    return [
      ...args.map((slot) => doubt(slot.name, 'it is not clear what these are arguments of')),
      ...carrying.flatMap((slot) => each(slot, language)),
    ];
  }
  if (only !== undefined && args.length > 0) return args.flatMap((slot) => withArguments(only, slot, language));
  return carrying.flatMap((slot) => each(slot, language));
}

/** Whether a value carries nothing: absent, blank, or an empty list or object. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function each(slot: Slot, language: Shell): Operation[] {
  const { value } = slot;
  if (typeof value === 'string') return [command(value, language)];
  if (!isTexts(value)) return [doubt(slot.name, 'a command that is no text cannot be judged')];
  const line = argv(value, language, slot.name);
  return /s$/.test(words(slot.name).at(-1) ?? '') ? [...value.map((item) => command(item, language)), ...line] : line;
}

function withArguments(program: Slot, args: Slot, language: Shell): Operation[] {
  const first = typeof program.value === 'string' ? program.value : '';
  if (typeof args.value === 'string') return [command(`${first} ${args.value}`, language)];
  if (!isTexts(args.value)) return [doubt(args.name, 'arguments that are no texts cannot be judged')];
  return argv([first, ...args.value], language, args.name, 1);
}

/** A server may pass the items as they are, or join them into one line for a shell: both readings are judged. */
function argv(items: readonly string[], language: Shell, subject: string, plainFrom = 0): Operation[] {
  const joined = command(items.join(' '), language);
  if (items.slice(plainFrom).every((item) => WORD.test(item))) return [joined];
  if (language !== 'bash') return [joined, doubt(subject, 'the items of the list can be read in more than one way')];
  const quoted = items.map((item, index) =>
    index < plainFrom || WORD.test(item) ? item : `'${item.replaceAll("'", `'\\''`)}'`,
  );
  return [joined, command(quoted.join(' '), language)];
}

function command(source: string, language: Shell): Operation {
  return { kind: 'command', language, source };
}
