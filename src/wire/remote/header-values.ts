const PLAIN = /^(?:[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?)?$/;
const ENCODED = /^=\?base64\?.*\?=$/;

/** True for text that a header carries as it is: visible ASCII, with spaces and tabs only inside. */
export function isHeaderSafe(text: string): boolean {
  return PLAIN.test(text);
}

/** The value of `Mcp-Name` and `Mcp-Param-*` (revision 2026-07-28): as it is where a header can carry it, else its UTF-8 in base64 between the marks. */
export function headerValue(text: string): string {
  if (isHeaderSafe(text) && !ENCODED.test(text)) return text;
  return `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;
}
