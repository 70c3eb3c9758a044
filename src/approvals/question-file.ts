import { z } from 'zod';

/** A question that waits, as it lies in the directory of approvals: only its owner reads it, for the code stands in it. */
const WAITING = z.object({
  v: z.literal(1),
  id: z.string().regex(/^[0-9a-f]{16}$/),
  code: z.string(),
  host: z.string(),
  pid: z.number(),
  agent: z.string(),
  askedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  message: z.string(),
  choices: z.tuple([z.string()], z.string()),
});
export type WaitingQuestion = z.infer<typeof WAITING>;

const ANSWER = z.object({ v: z.literal(1), code: z.string(), choice: z.string(), by: z.string() });
export type AnswerFile = z.infer<typeof ANSWER>;

/** The names of the two files of one question. */
export const questionName = (id: string): string => `${id}.question`;
export const answerName = (id: string): string => `${id}.answer`;

export function parseQuestion(text: string | undefined): WaitingQuestion | undefined {
  return parse(WAITING, text);
}

export function parseAnswer(text: string | undefined): AnswerFile | undefined {
  return parse(ANSWER, text);
}

function parse<T>(schema: z.ZodType<T>, text: string | undefined): T | undefined {
  try {
    return text === undefined ? undefined : schema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
