import { events, listOf, type Speech } from './speech.js';

/** `POST /v1/messages`, streamed. */
export const anthropic: Speech = {
  path: /\/v1\/messages(?:\?|$)/,
  offered: ({ tools }) => listOf(tools).map(({ name }) => ({ name: String(name) })),
  results: ({ messages }) =>
    listOf(messages)
      .flatMap(({ content }) => listOf(content))
      .filter(({ type }) => type === 'tool_result')
      .map(({ content }) => JSON.stringify(content)),
  answer: (says, id) => {
    const isCall = 'call' in says;
    const block = isCall
      ? { type: 'tool_use', id: `toolu_${id}`, name: says.call.name, input: {} }
      : { type: 'text', text: '' };
    const delta = isCall
      ? { type: 'input_json_delta', partial_json: JSON.stringify(says.args) }
      : { type: 'text_delta', text: says.text };
    const usage = { input_tokens: 1, output_tokens: 1 };
    const message = { id: `msg_${id}`, type: 'message', role: 'assistant', model: 'made-up', content: [], usage };
    return events(
      [
        { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null } },
        { type: 'content_block_start', index: 0, content_block: block },
        { type: 'content_block_delta', index: 0, delta },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: isCall ? 'tool_use' : 'end_turn', stop_sequence: null }, usage },
        { type: 'message_stop' },
      ],
      true,
    );
  },
};
