import { latin1, MAX_TEXT } from '../scan.js';

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * A JSON text as one line of stdio: a byte order mark and line ends around it are left out, those between its tokens become spaces,
 * every other byte stays. Undefined where a line end stands inside a string or the text is no JSON at all; a text without line
 * ends is not read.
 */
export function oneLine(raw: Buffer): Buffer | undefined {
  const body = trimmed(raw.subarray(0, 3).equals(BOM) ? raw.subarray(3) : raw);
  if (!body.includes(LF) && !body.includes(CR)) return body;
  if (body.length > MAX_TEXT || !isJson(latin1(body))) return undefined;
  const line = Buffer.from(body);
  for (let i = 0; i < line.length; i += 1) {
    if (line[i] === LF || line[i] === CR) line[i] = SPACE;
  }
  return line;
}

function trimmed(bytes: Buffer): Buffer {
  let start = 0;
  let end = bytes.length;
  while (start < end && isLineEnd(bytes[start])) start += 1;
  while (end > start && isLineEnd(bytes[end - 1])) end -= 1;
  return bytes.subarray(start, end);
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === LF || byte === CR;
}

/** A raw line end inside a string is no JSON, so in what passes all of them stand between tokens. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
