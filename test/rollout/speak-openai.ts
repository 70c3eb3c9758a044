import { type Body, events, listOf, type Offered, type Speech } from './speech.js';

/** `POST /v1/responses`, streamed. Tools of one server may come as a namespace. */
export const responses: Speech = {
  path: /\/responses(?:\?|$)/,
  offered: ({ tools }) => listOf(tools).flatMap(offeredBy),
  results: ({ input }) =>
    listOf(input)
      .filter(({ type }) => typeof type === 'string' && type.endsWith('_call_output'))
      .map(({ output }) => JSON.stringify(output)),
  answer: (says, id) => {
    const item =
      'call' in says
        ? {
            type: 'function_call',
            id: `fc_${id}`,
            call_id: id,
            name: says.call.name,
            ...(says.call.namespace !== undefined && { namespace: says.call.namespace }),
            arguments: JSON.stringify(says.args),
          }
        : { type: 'message', id: `m_${id}`, role: 'assistant', content: [{ type: 'output_text', text: says.text }] };
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    const response = { id: `resp_${id}`, object: 'response', status: 'completed', output: [item], usage };
    return events(
      [
        { type: 'response.created', response: { id: response.id } },
        { type: 'response.output_item.done', output_index: 0, item },
        { type: 'response.completed', response },
      ],
      true,
    );
  },
};

function offeredBy({ type, name, tools }: Body): readonly Offered[] {
  if (type === 'namespace')
    return listOf(tools).map((each) => ({ name: String(each['name']), namespace: String(name) }));
  return [{ name: String(name ?? type) }];
}

/** `POST /v1/chat/completions`, streamed. */
export const completions: Speech = {
  path: /\/chat\/completions(?:\?|$)/,
  offered: ({ tools }) =>
    listOf(tools).map((each) => ({ name: String((each['function'] as Body | undefined)?.['name']) })),
  results: ({ messages }) =>
    listOf(messages)
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => JSON.stringify(content)),
  answer: (says, id) => {
    const isCall = 'call' in says;
    const call = isCall && {
      tool_calls: [
        {
          index: 0,
          id,
          type: 'function',
          function: { name: says.call.name, arguments: JSON.stringify(says.args) },
        },
      ],
    };
    const head = { id: `chatcmpl-${id}`, object: 'chat.completion.chunk', created: 1, model: 'made-up' };
    const delta = { role: 'assistant', ...(isCall ? { content: null, ...call } : { content: says.text }) };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    return `${events([
      { ...head, choices: [{ index: 0, delta, finish_reason: null }] },
      { ...head, choices: [{ index: 0, delta: {}, finish_reason: isCall ? 'tool_calls' : 'stop' }], usage },
    ])}data: [DONE]\n\n`;
  },
};
