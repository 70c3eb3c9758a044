import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { STEPS, type Step } from '../fixtures/e2e/exotic-script.mjs';

/** One message that came: where (a step's own answer by its number, or `get`), its bytes, and the event around it. */
export interface Came {
  readonly on: string;
  readonly data: string;
  /** Name, id, comments and `retry`, with the line ends; undefined where the answer was one JSON body. */
  readonly frame?: string;
}

/** What a step of the script brought about over HTTP. */
export interface HttpReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly came: readonly Came[];
}

/** Plays the exotic script to a Streamable HTTP server as a client that writes and sees the very bytes. */
export async function playHttp(url: string): Promise<HttpReply[]> {
  const client = new RawHttp(url);
  const played: { readonly head: Promise<IncomingMessage>; readonly came: readonly Came[] }[] = [];
  try {
    for (const [index, step] of STEPS.entries()) {
      played.push(await client.play(step, String(index)));
      if (step.send.includes('notifications/initialized')) await client.listen();
    }
    const replies = played.map(async ({ head, came }) => {
      const { statusCode: status = 0, headers } = await head;
      return { status, headers, came };
    });
    return await Promise.all(replies);
  } finally {
    client.close();
  }
}

class RawHttp {
  readonly #url: string;
  readonly #answers: IncomingMessage[] = [];
  #session: string | undefined;
  #came: Came[] = [];
  #wake: (() => void) | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  /** Sends the step's line, and waits for as many messages as the script has for it. */
  async play(step: Step, name: string) {
    const head = this.#send('POST', step.send);
    const read = head.then((answer) => this.#read(answer, name));
    read.catch(() => undefined);
    if (step.reply.length === 0 || step.via === 'get') await read;
    while (this.#came.length < step.reply.length) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return { head, came: this.#came.splice(0) };
  }

  async listen(): Promise<void> {
    void this.#read(await this.#send('GET'), 'get');
  }

  close(): void {
    for (const answer of this.#answers) answer.destroy();
  }

  async #read(answer: IncomingMessage, on: string): Promise<void> {
    this.#answers.push(answer);
    const session = answer.headers['mcp-session-id'];
    if (typeof session === 'string') this.#session ??= session;
    if (answer.headers['content-type']?.startsWith('text/event-stream') === true) {
      const frames = new Frames((frame, data) => this.#take({ on, data, frame }));
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => frames.push(chunk));
      answer.on('error', () => undefined);
      return;
    }
    const parts: Buffer[] = [];
    for await (const part of answer) parts.push(part as Buffer);
    if (parts.length > 0) this.#take({ on, data: Buffer.concat(parts).toString() });
  }

  #take(came: Came): void {
    this.#came.push(came);
    this.#wake?.();
  }

  #send(method: string, body?: string): Promise<IncomingMessage> {
    const headers = {
      accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(this.#session !== undefined && { 'mcp-session-id': this.#session, 'mcp-protocol-version': '2025-11-25' }),
    };
    return new Promise((resolve, reject) => {
      const sent = request(this.#url, { method, headers, agent: false });
      sent.once('response', resolve);
      sent.once('error', reject);
      sent.end(body);
    });
  }
}

/** Cuts a stream into events; what has no data (a comment, `retry`) belongs to the next that has some. */
class Frames {
  readonly #event: (frame: string, data: string) => void;
  #text = '';
  #frame = '';

  constructor(event: (frame: string, data: string) => void) {
    this.#event = event;
  }

  push(chunk: string): void {
    this.#text += chunk;
    for (let end = endOf(this.#text); end > 0; end = endOf(this.#text)) {
      const part = this.#text.slice(0, end);
      this.#frame += part;
      this.#text = this.#text.slice(end);
      const data = dataOf(part);
      if (data === '') continue;
      this.#event(this.#frame, data);
      this.#frame = '';
    }
  }
}

/** Where the first frame ends, behind its empty line; 0 where it is not complete. */
function endOf(text: string): number {
  const found = /\r\n\r\n|\n\n/.exec(text);
  return found === null ? 0 : found.index + found[0].length;
}

function dataOf(frame: string): string {
  const lines = frame.split(/\r?\n/).filter((line) => line.startsWith('data:'));
  return lines.map((line) => line.slice(5).replace(/^ /, '')).join('\n');
}
