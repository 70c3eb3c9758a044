import { createClassify, prepareFor } from '../classify/index.js';
import type { Operation } from '../domain/call.js';
import { ProxyError } from '../domain/errors.js';
import { answerOf, type HookVerdict } from '../hooks/answer.js';
import { HOOK_CLIENTS, type HookClient, type HookCommand, readHookInput } from '../hooks/read-input.js';
import { remotePart } from '../hooks/remote-part.js';
import { refusalText } from '../proxy/refusal.js';
import type { Context } from './context.js';
import { readArguments } from './options.js';

/** How the command is called. */
export const USAGE = `usage: zerto-rewind-proxy [--config FILE] hook --client claude-code|codex|copilot|cursor|gemini [--event pre|post] [--deny] [--within SECONDS]

What a client runs before a command in its own shell: reads the client's JSON on stdin. A command that reaches no other machine passes at
once; one that changes another machine (ssh, scp, rsync, ansible, winrs, Invoke-Command …) passes once the checkpoint of its VM is listed.

  --event post      after the command: records how the client says it ended
  --deny            what may change another machine, or cannot be told, is refused, in mode observe too: the agent is to use the MCP servers
  --within SECONDS  answers (with a refusal) before the client waits no longer (50)

It logs nothing unless --log-level (before "hook") says so: a client hands stderr to its agent.

Exit codes: 0 with the client's JSON, or nothing: go on, or ask a person; 2: blocked, also where anything is wrong with the hook itself.
`;

/** Its options. */
export const OPTIONS = {
  client: { type: 'string', value: HOOK_CLIENTS },
  event: { type: 'string', default: 'pre', value: ['pre', 'post'] },
  deny: { type: 'boolean', default: false },
  within: { type: 'string', default: '50' },
} as const;

const LARGEST = 16 << 20;

interface Wanted {
  readonly client: HookClient;
  readonly event: 'pre' | 'post';
  readonly denies: boolean;
  readonly withinSeconds: number;
}

/** `hook`. Whatever goes wrong blocks: any other exit code than 2 would let the command through. After a command there is nothing to block. */
export async function hookCommand(args: readonly string[], context: Context): Promise<number> {
  const { io } = context;
  const wanted = read(args);
  if (typeof wanted === 'string') {
    io.stderr.write(`hook: ${wanted}\n${USAGE}`);
    return 2;
  }
  let verdict: HookVerdict;
  try {
    verdict = await judgeInput(wanted, context);
  } catch (error) {
    context.log.error({ error }, 'the hook failed');
    verdict = { kind: 'deny', text: textOf(error) };
  }
  if (wanted.event === 'post') return 0;
  const { stdout, stderr, code } = answerOf(wanted.client, verdict);
  io.stdout.write(stdout);
  io.stderr.write(stderr);
  return code;
}

async function judgeInput(wanted: Wanted, context: Context): Promise<HookVerdict> {
  const input = readHookInput(wanted.client, await textIn(context.io.stdin), context.surroundings.platform);
  if (input.kind === 'malformed')
    throw new ProxyError(
      'INVALID_ARGUMENTS',
      `The hook cannot read what the client says: ${input.why}. The call was not sent.`,
    );
  if (input.kind === 'other') return { kind: 'pass' };
  const assessment = await assessmentOf(input);
  if (assessment === undefined) return { kind: 'pass' };
  const config = await context.config();
  const { withApp } = await import('./wrap.js');
  return withApp(context, config, async (app) => {
    const { denies, withinSeconds } = wanted;
    if (wanted.event === 'pre') return app.hook({ command: input, assessment, denies, withinSeconds });
    await app.hookEnded(input);
    return { kind: 'pass' };
  });
}

/** By the built-in rules alone: no config is read for a command that stays on this machine. */
async function assessmentOf({ command, language }: HookCommand) {
  const operations: readonly Operation[] = [{ kind: 'command', language, source: command }];
  await prepareFor(operations);
  return remotePart(createClassify()(operations), command);
}

function textOf(error: unknown): string {
  if (error instanceof ProxyError) return refusalText(error.code, error.message);
  return refusalText('PROXY_FAULT', 'The hook failed on its own; its operator sees the cause with --log-level error.');
}

async function textIn(stdin: NodeJS.ReadStream): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk as Uint8Array | string);
    size += bytes.length;
    if (size > LARGEST)
      throw new ProxyError('INVALID_ARGUMENTS', 'What the client says is longer than 16 MiB. The call was not sent.');
    chunks.push(bytes);
  }
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
}

function read(args: readonly string[]): Wanted | string {
  const given = readArguments(args, OPTIONS);
  if (typeof given === 'string') return given;
  const { client: name, event, within, deny: denies } = given.values;
  const client = HOOK_CLIENTS.find((each) => each === name);
  const withinSeconds = Number(within);
  if (client === undefined) return `--client is one of ${HOOK_CLIENTS.join(', ')}`;
  if (event !== 'pre' && event !== 'post') return '--event is pre or post';
  if (!(withinSeconds >= 1 && withinSeconds <= 3600)) return '--within is a number of seconds from 1 to 3600';
  return { client, event, denies, withinSeconds };
}
