import { type HttpAnswer, HttpFailure } from '../remote/http.js';

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

/** Nobody asked for another coding than none: what cannot be read goes to no client. Throws HttpFailure. */
export async function plain(answer: HttpAnswer): Promise<HttpAnswer> {
  const coding = String(answer.headers['content-encoding'] ?? 'identity');
  if (coding.trim().toLowerCase() === 'identity') return answer;
  await answer.body.dump().catch(() => undefined);
  throw new HttpFailure(true, { code: 'Content-Encoding' });
}
