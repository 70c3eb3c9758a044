import { events, listOf, type Speech } from './speech.js';

/** `POST …:streamGenerateContent?alt=sse`. */
export const gemini: Speech = {
  path: /:(?:streamG|g)enerateContent/,
  offered: ({ tools }) =>
    listOf(tools)
      .flatMap(({ functionDeclarations }) => listOf(functionDeclarations))
      .map(({ name }) => ({ name: String(name) })),
  results: ({ contents }) =>
    listOf(contents)
      .flatMap(({ parts }) => listOf(parts))
      .filter(({ functionResponse }) => functionResponse !== undefined)
      .map(({ functionResponse }) => JSON.stringify(functionResponse)),
  answer: (says) => {
    const part = 'call' in says ? { functionCall: { name: says.call.name, args: says.args } } : { text: says.text };
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
    const content = { role: 'model', parts: [part] };
    return events([{ candidates: [{ index: 0, content, finishReason: 'STOP' }], usageMetadata }]);
  },
};
