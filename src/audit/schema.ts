import { z } from 'zod';
import { EFFECTS } from '../domain/assessment.js';
import { DECISIONS } from '../domain/decision.js';
import { UNNAMED, type Unnamed } from '../domain/target.js';

const text = z.string();
const texts = z.array(text);
const point = { checkpointIdentifier: text, timestamp: text };

const receipt = z.object({
  id: text,
  change: text,
  session: text,
  agent: text,
  server: text,
  tool: text,
  digest: text,
  pinnedAt: text,
  forwardedAt: text.optional(),
  lastPossibleChangeAt: text.optional(),
  permit: z.enum(['pinned', 'waived']),
  waivedBy: text.optional(),
  mode: z.literal('observe').optional(),
  consistency: z.literal('crash'),
  covers: z.enum(['vm', 'partly', 'elsewhere']),
  sharedWith: texts.optional(),
  inFlight: texts.optional(),
  simulated: z.boolean().optional(),
  warnings: texts.optional(),
  vms: z.array(
    z.object({
      name: text,
      vmIdentifier: text,
      vpgs: z.array(
        z.object({
          name: text,
          vpgIdentifier: text,
          site: text,
          tag: z.object({ name: text, ...point }),
          recoverFrom: z.object({ ...point, why: text }),
        }),
      ),
    }),
  ),
});

const effect = z.enum(EFFECTS);
const vpg = z.object({ name: text, vpgIdentifier: text, site: text });
const unnamed = z.enum(Object.keys(UNNAMED) as [Unnamed]).optional();

const intent = z.object({
  kind: z.literal('intent'),
  at: text,
  call: text,
  session: text,
  agent: text,
  server: text,
  tool: text,
  digest: text,
  mode: z.literal('observe').optional(),
  effect,
  arguments: z.record(text, z.unknown()),
  findings: z.array(z.object({ effect, subject: text, why: text, sensitive: z.boolean().optional() })),
  decision: z.enum(DECISIONS),
  rule: text,
  waivedBy: text.optional(),
  code: text.optional(),
  reason: text.optional(),
  hosts: texts,
  targets: z.array(z.object({ host: text, unnamed, vm: text, vmIdentifier: text, vpgs: z.array(vpg) })),
  problems: z.array(z.object({ kind: text, host: text, unnamed, why: text, found: texts })),
});

const answered = { answeredBy: text.optional(), answeredAfterMs: z.number().optional() };
const permit = z.object({ kind: z.literal('permit'), at: text, call: text, receipt, ...answered });

const outcome = z.object({
  kind: z.literal('outcome'),
  at: text,
  call: text,
  outcome: z.enum(['forwarded', 'refused', 'not_sent', 'outcome_unknown']),
  result: z.enum(['ok', 'error']).optional(),
  code: text.optional(),
  reason: text.optional(),
  receipt: receipt.optional(),
  /** What a recovery gave out. */
  recovered: z.object({ vmIdentifier: text }).optional(),
  ...answered,
});

/** Records of a call as readers take them from a file: what does not have this form is passed over, and left to `verify`. */
export const CALL_RECORD = z.discriminatedUnion('kind', [intent, permit, outcome]);
export type CallRecord = z.infer<typeof CALL_RECORD>;
export type IntentRecord = z.infer<typeof intent>;
export type PermitRecord = z.infer<typeof permit>;
export type OutcomeRecord = z.infer<typeof outcome>;
