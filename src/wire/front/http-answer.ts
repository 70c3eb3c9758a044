import type { HttpAnswer } from '../remote/http.js';

/** An answer that is a stream. */
export function isEvents({ headers }: HttpAnswer): boolean {
  return /^text\/event-stream\b/i.test(headers['content-type'] ?? '');
}

/** An answer to its end. */
export async function whole({ body }: HttpAnswer): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
