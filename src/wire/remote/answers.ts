import { readServerMessage } from '../message.js';
import type { HttpAnswer } from './http.js';
import { oneLine } from './one-line.js';

/** What an HTTP answer holds, by its status and content type. */
export type AnswerKind = 'events' | 'json' | 'none' | 'other' | 'refused';

/** Bodies of refusals are read this far. */
const MAX_REFUSAL = 1 << 20;

export function kindOf({ status, headers }: HttpAnswer): AnswerKind {
  if (status < 200 || status > 299) return 'refused';
  const type = String(headers['content-type'] ?? '')
    .split(';', 1)[0]
    ?.trim()
    .toLowerCase();
  if (type === 'text/event-stream') return 'events';
  if (type === 'application/json') return 'json';
  return status === 202 || status === 204 || headers['content-length'] === '0' ? 'none' : 'other';
}

/** The whole body. Rejects where it breaks. */
export async function readAll(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}

/** The JSON-RPC error that a refusal carries; undefined where it has none that can be read. */
export async function refusalIn({ body, headers }: HttpAnswer): Promise<Buffer | undefined> {
  const declared = Number(headers['content-length'] ?? 0);
  try {
    const raw = declared > MAX_REFUSAL ? undefined : await readUpTo(body, MAX_REFUSAL);
    const line = raw && oneLine(raw);
    const message = line && readServerMessage(line);
    return message?.kind === 'response' && message.isError ? line : undefined;
  } catch {
    return undefined;
  } finally {
    await discard(body);
  }
}

/** Reads on, not far, so that the connection can be used again. */
export async function discard(body: HttpAnswer['body']): Promise<void> {
  await body.dump().catch(() => undefined);
}

async function readUpTo(body: AsyncIterable<Buffer>, most: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > most) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
