import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { NativeAnswer } from './answer.js';
import { readArguments } from './arguments.js';
import { checkTool } from './check-tool.js';
import { pinCheckpoint } from './checkpoint.js';
import type { Caller, NativeDeps, RecoveryConfig } from './deps.js';
import { findProtection } from './find-protection.js';
import { endSession, listSessions } from './flr-sessions.js';
import { listReceipts } from './list-receipts.js';
import { recoverFile } from './recover-file.js';
import { RECOVER_FILE_WITH_FLAG, SCHEMAS } from './schemas.js';

type Run<T> = (args: T, deps: NativeDeps, caller: Caller, signal: AbortSignal) => Promise<NativeAnswer>;

/** One native tool: what `tools/list` says of it, and what a call of it does. `wrong`: the arguments do not fit. */
export interface NativeTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly inputSchema: Record<string, unknown>;
  run(
    raw: unknown,
    deps: NativeDeps,
    caller: Caller,
    signal: AbortSignal,
  ):
    | { readonly kind: 'wrong'; readonly why: string }
    | { readonly kind: 'runs'; readonly answer: () => Promise<NativeAnswer> };
}

const READS = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };
const ADDS = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true };

/** The eight tools in the order of the list; names and arguments are fixed. */
export function nativeTools(recovery: Pick<RecoveryConfig, 'confirm'>): readonly NativeTool[] {
  const recoverSchema = recovery.confirm === 'flag' ? RECOVER_FILE_WITH_FLAG : SCHEMAS.recoverFile;
  return [
    tool('zerto_check_tool', 'Check a call before making it', READS, SCHEMAS.checkTool, checkTool, [
      'Says whether a tool call or a command only reads, may change something, or is not understood, and what the proxy would do with it. Sends nothing.',
      'Give tool and arguments as you would call it, or command and shell. With no arguments it lists what is known to read and what is known to change.',
    ]),
    tool(
      'zerto_find_protection',
      'Find a VM’s protection',
      READS,
      SCHEMAS.findProtection,
      (args, deps, _, signal) => findProtection(args, deps, signal),
      [
        'Finds the one VM that a name, host name or identifier means, and every VPG that protects it. Anything but exactly one protected VM is an error that says what was found.',
      ],
    ),
    tool(
      'zerto_create_tagged_checkpoint',
      'Create a tagged checkpoint',
      ADDS,
      SCHEMAS.checkpoint,
      pinWith('zerto_create_tagged_checkpoint'),
      [
        'Pins a tagged checkpoint on every VPG of a VM and answers the receipt when the appliance lists it (seconds to minutes).',
        'You do not need it before calls through this proxy: those are pinned by themselves. Run sync in the guest first if files were just written.',
      ],
    ),
    tool(
      'zerto_guard_before_mutate',
      'Pin a checkpoint before a change',
      ADDS,
      SCHEMAS.checkpoint,
      pinWith('zerto_guard_before_mutate'),
      [
        'Pins a tagged checkpoint on every VPG of a VM before you change it on a way that does not pass this proxy, and answers the receipt. Change nothing before it has answered.',
      ],
    ),
    tool(
      'zerto_recover_file',
      'Recover a file from the journal',
      { ...ADDS, destructiveHint: false },
      recoverSchema,
      recoverFile,
      [
        'Gives back the content of one file as it was before a change, or lists a folder. Give receipt (from the guarded result) and path; a human is asked each time.',
        'It writes nothing: you get text or base64 with byte count and SHA-256, and write it back yourself. Owner, mode and ACL are not restored. Files that hold secrets are refused.',
        'preview: true tells size and age and, once a human agreed, hash and difference to what is there now, in place of the content.',
      ],
    ),
    tool(
      'zerto_list_flr_sessions',
      'List file-recovery mounts',
      READS,
      SCHEMAS.listSessions,
      (args, deps, _, signal) => listSessions(args, deps, signal),
      ['Lists the checkpoints that are mounted for file recovery now, and whether this proxy left them over.'],
    ),
    tool(
      'zerto_end_flr_session',
      'End a file-recovery mount',
      { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
      SCHEMAS.endSession,
      endSession,
      [
        'Unmounts a checkpoint that a broken recovery left mounted. For a mount that somebody else made a human is asked.',
      ],
    ),
    tool(
      'zerto_list_receipts',
      'List receipts',
      READS,
      SCHEMAS.listReceipts,
      (args, deps, _, signal) => listReceipts(args, deps, signal),
      [
        'Lists the receipts of guarded calls, newest first: which call, which checkpoints, whether the call was forwarded, and whether the checkpoint can still be recovered from.',
      ],
    ),
  ];
}

function pinWith(name: string): Run<z.infer<typeof SCHEMAS.checkpoint>> {
  return (args, deps, caller, signal) => pinCheckpoint(name, args, deps, caller, signal);
}

function tool<T>(
  name: string,
  title: string,
  annotations: ToolAnnotations,
  schema: z.ZodType<T> & { readonly shape: object },
  run: Run<T>,
  description: readonly string[],
): NativeTool {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(schema, { io: 'input' });
  return {
    name,
    title,
    description: description.join('\n'),
    annotations: { title, ...annotations },
    inputSchema,
    run: (raw, deps, caller, signal) => {
      const read = readArguments(name, schema, raw);
      if (read.kind === 'wrong') return read;
      return { kind: 'runs', answer: () => run(read.value, deps, caller, signal) };
    },
  };
}
