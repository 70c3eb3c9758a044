import { append, applySplices, assignment, objectAt, objectFrom, removals, type Splice } from './json-splice.js';
import { type Container, decodeString, type Item, lastNamed, latin1, readContainer } from './scan.js';

/** Where a receipt stands in a result's `_meta`. */
export const RECEIPT_KEY = 'zerto-rewind/receipt';

/**
 * Adds tools to a tools/list response that is the last page. Downstream tools of exactly such a name are taken out of every page and
 * named in `dropped`. Only a missing or null `nextCursor` ends a list: revision 2026-07-28 counts an empty one as a cursor.
 */
export function addTools(
  raw: Buffer,
  tools: readonly { readonly name: string; readonly json: string }[],
): { raw: Buffer; dropped: string[] } {
  const text = latin1(raw);
  const result = objectAt(text, ['result']);
  const list = lastNamed(result, 'tools');
  const array = list && text[list.valueStart] === '[' ? readContainer(text, list.valueStart) : undefined;
  if (result === undefined || array === undefined) return { raw, dropped: [] };
  const own = new Set(tools.map((tool) => tool.name));
  const names = array.items.map((item) => toolNames(text, item).find((name) => own.has(name)));
  const kept = array.items.filter((_, index) => names[index] === undefined);
  const entries = isLastPage(text, result) ? tools.map((tool) => tool.json) : [];
  const splices = [...removals(array.items, (_, index) => names[index] !== undefined), ...append(array, kept, entries)];
  return { raw: applySplices(raw, splices), dropped: names.filter((name) => name !== undefined) };
}

/** Adds `"tools":{}` to the capabilities of an initialize or server/discover result that has none. */
export function addToolsCapability(raw: Buffer): Buffer {
  const capabilities = objectAt(latin1(raw), ['result', 'capabilities']);
  if (capabilities === undefined || lastNamed(capabilities, 'tools')) return raw;
  return applySplices(raw, assignment(capabilities, 'tools', '{}'));
}

/**
 * Sets the receipt in `result._meta`, which is made where it is missing, and removes every other one there and in the `_meta` of a
 * tool result that a task result carries. Without a receipt it only removes.
 */
export function setReceipt(raw: Buffer, receipt: unknown): Buffer {
  const cleaned = mayHoldReceipt(raw) ? removeForged(raw) : raw;
  if (receipt === undefined) return cleaned;
  const text = latin1(cleaned);
  const result = objectAt(text, ['result']);
  if (result === undefined) return cleaned;
  const json = JSON.stringify(receipt);
  const meta = lastNamed(result, '_meta');
  if (meta === undefined) return applySplices(cleaned, assignment(result, '_meta', `{"${RECEIPT_KEY}":${json}}`));
  const object = objectFrom(text, meta.valueStart);
  return object === undefined ? cleaned : applySplices(cleaned, assignment(object, RECEIPT_KEY, json));
}

/** Removes every member of that name from the object at the path (names from the top, the last of equal ones). */
export function removeMember(raw: Buffer, path: readonly string[], name: string): Buffer {
  const object = objectAt(latin1(raw), path);
  return object === undefined
    ? raw
    : applySplices(
        raw,
        removals(object.items, (item) => item.name === name),
      );
}

/** Gives a member of the object at the path the JSON text as its value; the object must be there, the member need not. */
export function setMember(raw: Buffer, path: readonly string[], name: string, json: string): Buffer {
  const object = objectAt(latin1(raw), path);
  return object === undefined ? raw : applySplices(raw, assignment(object, name, json));
}

/** All names of a tool: a client could take the first of two. */
function toolNames(text: string, tool: Item): string[] {
  const members = objectFrom(text, tool.valueStart)?.items ?? [];
  return members
    .filter((member) => member.name === 'name' && text[member.valueStart] === '"')
    .map((member) => decodeString(text, member.valueStart, member.end));
}

function isLastPage(text: string, result: Container): boolean {
  const cursor = lastNamed(result, 'nextCursor');
  return cursor === undefined || text[cursor.valueStart] === 'n';
}

/** False only where the key can stand nowhere: neither as it is nor with an escape. */
function mayHoldReceipt(raw: Buffer): boolean {
  return raw.includes(RECEIPT_KEY) || raw.includes('\\u') || raw.includes('\\/');
}

function removeForged(raw: Buffer): Buffer {
  const text = latin1(raw);
  const results = valuesNamed(text, objectAt(text, []), 'result');
  const holders = [...results, ...results.flatMap((result) => valuesNamed(text, result, 'result'))];
  const metas = holders.flatMap((holder) => valuesNamed(text, holder, '_meta'));
  const splices: Splice[] = metas.flatMap((meta) => removals(meta.items, (item) => item.name === RECEIPT_KEY));
  return applySplices(raw, splices);
}

function valuesNamed(text: string, object: Container | undefined, name: string): Container[] {
  const members = object?.items.filter((item) => item.name === name) ?? [];
  return members.map((member) => objectFrom(text, member.valueStart)).filter((value) => value !== undefined);
}
