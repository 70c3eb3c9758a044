import { z } from 'zod';
import { SHELLS } from '../domain/call.js';

const vm = z.string().min(1).max(255).describe('VM name, host name or VM identifier');
const change = z
  .string()
  .regex(/^[A-Za-z0-9._:-]{1,40}$/)
  .describe('Your id of the change; the same id on several checkpoints joins them. Letters, digits and . _ : - only');
const receipt = z
  .string()
  .min(1)
  .max(64)
  .describe('Receipt id, as in _meta["zerto-rewind/receipt"] of a guarded result');
const session = z.string().min(1).max(128).describe('Session id, as zerto_list_flr_sessions gives it');

const checkTool = z.strictObject({
  tool: z.string().min(1).max(256).describe('A tool of a wrapped server').optional(),
  arguments: z.record(z.string(), z.unknown()).describe('The arguments you would call it with').optional(),
  command: z.string().min(1).max(262_144).describe('A command, in place of a tool').optional(),
  shell: z.enum(SHELLS).describe('The language of command; bash unless said otherwise').optional(),
});

const findProtection = z.strictObject({ vm });

const checkpoint = z.strictObject({
  vm,
  action: z
    .string()
    .min(1)
    .max(80)
    .describe('Two or three words on what you are about to do, for the tag. Never a secret or a command line'),
  change: change.optional(),
});

const recoverFile = z.strictObject({
  receipt: receipt.optional(),
  vm: vm.describe('With checkpoint, in place of receipt; or to choose one VM of a receipt that has several').optional(),
  checkpoint: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,64}$/)
    .describe('Checkpoint identifier, together with vm')
    .optional(),
  vpg: z.string().min(1).max(255).describe('VPG name or identifier, where several protect the VM').optional(),
  path: z
    .string()
    .min(1)
    .max(4096)
    .describe(
      'Absolute path in the VM: /etc/app.conf or C:\\dir\\file.txt. Where a volume must be named: VOLUME:/dir/file',
    ),
  from: z
    .enum(['recoverFrom', 'tag'])
    .describe('recoverFrom (default): the point that surely precedes the change. tag: the tagged checkpoint itself')
    .optional(),
  preview: z
    .boolean()
    .describe(
      'true: size, age, and, once a human agreed, hash and difference to the newest checkpoint’s copy, in place of the content',
    )
    .optional(),
  page: z.int().min(1).max(10_000).describe('Page of a folder’s listing, from 1').optional(),
});

const confirmed = z.boolean().describe('true: the user has agreed that this content is given to the model').optional();

const listSessions = z.strictObject({ vm: vm.optional() });
const endSession = z.strictObject({ session });

const listReceipts = z.strictObject({
  vm: vm.describe('VM name or identifier').optional(),
  agent: z.string().min(1).max(128).optional(),
  session: z.string().min(1).max(128).describe('Session of the client').optional(),
  since: z.iso.datetime({ offset: true }).describe('ISO 8601 time').optional(),
  change: z.string().min(1).max(128).optional(),
  limit: z.int().min(1).max(200).describe('20 unless given').optional(),
});

/** The arguments of each tool. */
export const SCHEMAS = { checkTool, findProtection, checkpoint, recoverFile, listSessions, endSession, listReceipts };

/** The same as `recoverFile` where the config lets the agent confirm. */
export const RECOVER_FILE_WITH_FLAG = recoverFile.extend({ confirmed });

export type RecoverFileArgs = z.infer<typeof RECOVER_FILE_WITH_FLAG>;
export type CheckToolArgs = z.infer<typeof checkTool>;
export type CheckpointArgs = z.infer<typeof checkpoint>;
export type ListReceiptsArgs = z.infer<typeof listReceipts>;
