import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropic } from './speak-anthropic.js';
import { gemini } from './speak-gemini.js';
import { completions, responses } from './speak-openai.js';
import type { Body, Offered, Speech } from './speech.js';

/** A tool call that the model is to make: of the first offered tool that is the one. */
export interface Step {
  readonly isTool: (tool: Offered) => boolean;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A model that was made up: makes the calls of a script one after the other, then says "done". */
export interface Model {
  readonly url: string;
  /** The tools that the client offered last. */
  offered(): readonly Offered[];
  /** What the client's tools answered, as the client told the model. */
  results(): readonly string[];
  /** Whether any request held this text. */
  heard(text: string): boolean;
  /** Requests that no speech took, for when a client does not come through. */
  strange(): readonly string[];
  close(): Promise<void>;
}

const SPEECHES: readonly Speech[] = [anthropic, gemini, responses, completions];

/** Listens on a free port of this machine. */
export async function startModel(steps: readonly Step[]): Promise<Model> {
  let offered: readonly Offered[] = [];
  const requests: string[] = [];
  let results: readonly string[] = [];
  const strange: string[] = [];
  const answerTo = (speech: Speech, body: Body): string => {
    const tools = speech.offered(body);
    const came = speech.results(body);
    const id = `c${came.length}`;
    const step = steps[came.length];
    // Requests without tools are the client's own affair: titles, summaries, whether the key works.
    if (tools.length === 0) return speech.answer({ text: 'ok' }, id);
    offered = tools;
    results = came;
    if (step === undefined) return speech.answer({ text: 'done' }, id);
    const call = tools.find(step.isTool);
    if (call === undefined) return speech.answer({ text: 'the tool is not there' }, id);
    return speech.answer({ call, args: step.args }, id);
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      const speech = request.method === 'POST' ? SPEECHES.find((each) => each.path.test(path)) : undefined;
      if (speech === undefined) {
        strange.push(`${request.method} ${path}`);
        response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
        return;
      }
      const text = Buffer.concat(chunks).toString('utf8');
      requests.push(text);
      const body = JSON.parse(text) as Body;
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(answerTo(speech, body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    offered: () => offered,
    results: () => results,
    heard: (text) => requests.some((request) => request.includes(text)),
    strange: () => strange,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
