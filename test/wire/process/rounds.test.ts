import { afterEach, describe, expect, it } from 'vitest';
import type { ToolCall } from '../../../src/domain/call.js';
import type { Relay } from '../../../src/wire/relay.js';
import { verifies } from '../../e2e/requirements.js';
import { mintPermit } from '../../support/permit.js';
import { Harness, type RelayOptions, until } from './harness.js';

const open: Harness[] = [];
function start(options: RelayOptions = {}): Harness {
  const harness = new Harness(options);
  open.push(harness);
  return harness;
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((harness) => harness.abort()));
});

const META =
  '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}';
const question = { message: 'Run it?', choices: ['run', 'do not run'] as const };

/** Asks before each call of `echo`; sends it where the human said so. */
const asking: RelayOptions = {
  handle:
    (relay) =>
    async (call, { signal }) => {
      // The signal that reaches `ask` is often one derived from the call's.
      const answer = call.tool === 'calls' ? undefined : await relay().ask(question, AbortSignal.any([signal]));
      if (answer === undefined || (answer.kind === 'answered' && answer.choice === 'run')) {
        return relay().forward(call, mintPermit(call));
      }
      return { kind: 'refusal', text: `not sent: ${answer.kind}` };
    },
};

const first = (more = '') =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"n":9007199254740993},${META}${more}}}`;
const retry = (state: unknown, choice: string, more = '', n = '9007199254740993') =>
  `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"n":${n}},${META}${more},"inputResponses":{"zerto-decision":{"action":"accept","content":{"choice":"${choice}"}}},"requestState":${JSON.stringify(state)}}}`;

async function ask(harness: Harness, more = ''): Promise<string> {
  harness.send(first(more));
  const { result } = await harness.answer(1);
  expect(result).toEqual({
    resultType: 'input_required',
    inputRequests: {
      'zerto-decision': {
        method: 'elicitation/create',
        params: {
          mode: 'form',
          message: 'Run it?',
          requestedSchema: {
            type: 'object',
            properties: { choice: { type: 'string', title: 'Decision', enum: ['run', 'do not run'] } },
            required: ['choice'],
          },
        },
      },
    },
    requestState: expect.stringMatching(/^zerto-state-[0-9a-f]{48}$/),
  });
  return String(result?.['requestState']);
}

async function callsSeen(harness: Harness): Promise<number> {
  harness.call(99, 'calls');
  return Number(await harness.text(99));
}

describe(`${verifies('P-2', 'T-4')} a question to a client of the stateless revision`, () => {
  it('ends the call with input_required; the retry goes downstream once, under its own id, without what the proxy added', async () => {
    const harness = start(asking);
    const state = await ask(harness);
    harness.send(retry(state, 'run'));
    expect(await harness.text(2)).toBe(
      `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"n":9007199254740993},${META}}}`,
    );
    expect(harness.calls).toHaveLength(1);
    expect(await callsSeen(harness)).toBe(2);
    expect(harness.received).toEqual([]);
  });

  it('puts back the round of the downstream that the first request carried', async () => {
    const harness = start(asking);
    const own = ',"inputResponses":{"theirs":{"n":1.50}},"requestState":"their\\u0073"';
    const state = await ask(harness, own);
    harness.send(retry(state, 'run'));
    const seen = await harness.text(2);
    expect(seen).toContain('"inputResponses":{"theirs":{"n":1.50}},"requestState":"their\\u0073"');
    expect(seen).not.toContain('zerto');
  });

  it.each([
    ['a no', 'do not run', 'declined|answered'],
    ['a choice that was not offered', 'sudo', 'declined'],
  ])('is answered with a refusal after %s', async (_name, choice, kind) => {
    const harness = start(asking);
    harness.send(retry(await ask(harness), choice));
    expect(await harness.text(2)).toMatch(new RegExp(`^not sent: (${kind})$`));
    expect(await callsSeen(harness)).toBe(1);
  });

  it('holds for the same arguments only, and once', async () => {
    const harness = start(asking);
    const state = await ask(harness);
    harness.send(retry(state, 'run', '', '1'));
    expect((await harness.answer(2)).result?.['resultType']).toBe('input_required');
    harness.send(retry(state, 'run'));
    await harness.text(2);
    harness.send(retry(state, 'run'));
    expect((await harness.answer(2)).result?.['resultType']).toBe('input_required');
    expect(await callsSeen(harness)).toBe(2);
  });

  it('strips a state of the proxy that is no longer known', async () => {
    const harness = start();
    harness.send(retry('zerto-state-00', 'run'));
    expect(await harness.text(2)).not.toContain('zerto');
  });

  it('never sends the call where the client does not come back', async () => {
    const kinds: string[] = [];
    const harness = start({
      handle:
        (relay) =>
        async (call, { signal }) => {
          const { kind } = await relay().ask(question, signal);
          kinds.push(kind);
          await forwarded(relay(), call).catch((error) => kinds.push(error.code));
          return { kind: 'refusal', text: 'x' };
        },
    });
    await ask(harness);
    await harness.close();
    await until(() => kinds.length === 2);
    expect(kinds).toEqual(['declined', 'CALL_CANCELLED']);
  });

  it('is given up when nobody comes back in the time that a question may wait', async () => {
    const kinds: string[] = [];
    const harness = start({
      openMs: 20,
      handle:
        (relay) =>
        async (_call, { signal }) => {
          kinds.push((await relay().ask(question, signal)).kind);
          return { kind: 'refusal', text: 'x' };
        },
    });
    await ask(harness);
    await until(() => kinds.length === 1);
    expect(kinds).toEqual(['declined']);
  });

  it('can be cancelled after the retry', async () => {
    const harness = start({
      handle:
        (relay) =>
        async (_call, { signal }) => {
          await relay().ask(question, signal);
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          return { kind: 'refusal', text: 'x' };
        },
    });
    harness.send(retry(await ask(harness), 'run'));
    harness.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}');
    harness.send('{"jsonrpc":"2.0","method":"notifications/last"}');
    expect(await harness.next()).toContain('notifications/last');
  });

  it('serves native tools as well', async () => {
    const harness: Harness = start({
      native: {
        tools: () => [{ name: 'echo', json: '{"name":"echo"}' }],
        call: async (_name, _args, _meta, signal) => {
          const answer = await harness.relay.ask(question, AbortSignal.any([signal]));
          return { content: [{ type: 'text', text: JSON.stringify(answer) }] };
        },
      },
    });
    harness.send(retry(await ask(harness), 'run'));
    expect(JSON.parse(await harness.text(2))).toEqual({ kind: 'answered', choice: 'run', by: 'client' });
  });

  it('is not put to a client that did not say it can show a form', async () => {
    const harness = start(asking);
    harness.send(first().replace('{"elicitation":{}}', '{}'));
    expect(await harness.text(1)).toBe('not sent: unavailable');
  });
});

/** As the path of a call sees it: what was not written rejects like what has no answer. */
async function forwarded(relay: Relay, call: ToolCall): ReturnType<Relay['forward']> {
  return relay.forward(call, mintPermit(call));
}
