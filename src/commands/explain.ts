import { describeOffline } from '../../interceptors/index.js';
import { createApp } from '../app.js';
import type { Config, ServerEntry } from '../config/config.js';
import type { Server } from '../domain/call.js';
import { UNNAMED } from '../domain/target.js';
import { quote, visible } from '../domain/text.js';
import type { ExplainedTarget, ExplainQuery, Explanation } from '../explain.js';
import type { Context } from './context.js';
import { readArguments as readOptions } from './options.js';
import { readToolsList } from './tools-list.js';
import { CONNECT, serverOf, withEnv } from './wrap.js';

/** How the command is called. */
export const USAGE = `usage: zerto-rewind-proxy explain --server S --tool T [--args JSON] [--tools FILE] [--json]
       --tools FILE   the server's tools/list result; without it a tool is known from the catalogue, or by its arguments alone
`;

/** Its options. */
export const OPTIONS = {
  server: { type: 'string' },
  tool: { type: 'string' },
  args: { type: 'string' },
  tools: { type: 'string', value: 'file' },
  json: { type: 'boolean', default: false },
} as const;

type Wanted =
  | {
      readonly kind: 'call';
      readonly server: string;
      readonly tool: string;
      readonly arguments: Readonly<Record<string, unknown>>;
      readonly tools: string | undefined;
      readonly json: boolean;
    }
  | { readonly kind: 'usage'; readonly problem: string };

/** `explain …`: what would be done with a call. Nothing is sent, recorded or pinned, and no server is started. Exit code 0, or 2 for a wrong call. */
export async function explainCommand(args: readonly string[], context: Context): Promise<number> {
  const wanted = readArguments(args);
  const { io } = context;
  if (wanted.kind === 'usage') {
    io.stderr.write(`${wanted.problem}\n${USAGE}`);
    return 2;
  }
  const config = await context.config();
  if (config.zvm === undefined) io.stderr.write(`No appliance is configured: ${CONNECT}.\n`);
  const query = { ...(await queryOf(wanted, config, io.stderr)), start: startOf(wanted.server, config, context) };
  const app = createApp({
    config,
    surroundings: context.surroundings,
    log: context.log,
    version: await context.version(),
  });
  try {
    const explanation = await app.explain(query, context.signal);
    io.stdout.write(wanted.json ? `${JSON.stringify(shown(explanation))}\n` : told(explanation));
    if (wanted.json) for (const target of explanation.targets) io.stderr.write(noteOf(target));
    return 0;
  } finally {
    await app.close();
  }
}

async function queryOf(
  { server: name, tool, arguments: given, tools }: Wanted & { kind: 'call' },
  { mcpServers }: Config,
  stderr: { write(text: string): unknown },
): Promise<ExplainQuery> {
  const entry = Object.hasOwn(mcpServers, name) ? mcpServers[name] : undefined;
  if (entry === undefined)
    stderr.write(
      `The config has no server ${quote(name)} under "mcpServers": it is judged as one of which nothing is known.\n`,
    );
  const server = serverOf(name, entry);
  if (tools !== undefined) {
    const { tools: listed, info } = await readToolsList(tools);
    return {
      server: { ...server, info },
      tool,
      arguments: given,
      description: listed.find((each) => each.name === tool),
    };
  }
  const known = describeOffline(wordsOf(entry), tool);
  const described: Server = known === undefined ? server : { ...server, info: known.info };
  return { server: described, tool, arguments: given, description: known?.description };
}

/** How the proxy would start it: what its names mean may stand in its own configuration. */
function startOf(name: string, config: Config, context: Context): ExplainQuery['start'] {
  const { start } = (Object.hasOwn(config.mcpServers, name) ? config.mcpServers[name] : undefined) ?? {};
  return start?.kind === 'command' ? withEnv(context, config, start) : undefined;
}

function wordsOf(entry: ServerEntry | undefined): readonly string[] {
  return entry?.start.kind === 'command' ? [entry.start.command, ...entry.start.args] : [];
}

function readArguments(args: readonly string[]): Wanted {
  const given = readOptions(args, OPTIONS);
  if (typeof given === 'string') return usage(`explain: ${given}`);
  const { server, tool, tools, json } = given.values;
  if (server === undefined || tool === undefined) return usage('explain: --server and --tool are needed');
  const parsed = parse(given.values.args ?? '{}');
  if (parsed === undefined) return usage('explain: --args takes a JSON object, such as \'{"command":"uptime"}\'');
  return { kind: 'call', server, tool, arguments: parsed, tools, json };
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function usage(problem: string): Wanted {
  return { kind: 'usage', problem };
}

function shown({ effect, findings, targets, decision }: Explanation): object {
  return {
    effect,
    findings: findings.map((part) => ({ subject: part.subject, effect: part.effect, why: part.why })),
    targets: targets.map(({ unnamed: _, ...target }) => target),
    decision,
  };
}

/** The members of the JSON are fixed; where a host comes from stands beside it. */
function noteOf({ host, unnamed }: ExplainedTarget): string {
  return unnamed === undefined
    ? ''
    : `The call names no host; ${quote(host, 80)} is ${UNNAMED[unnamed]} in the config.\n`;
}

function told({ effect, findings, targets, decision, refusal }: Explanation): string {
  const parts = findings.map((part) => `  ${part.effect.padEnd(9)}  ${quote(part.subject)}  ${visible(part.why)}\n`);
  const why = refusal === undefined ? '' : `: ${visible(refusal)}`;
  return `effect ${effect}\n${parts.join('')}${targets.map(toldTarget).join('')}decision ${decision}${why}\n`;
}

function toldTarget({ host, unnamed, vm, vmIdentifier, vpgs, problem }: ExplainedTarget): string {
  const from = unnamed === undefined ? '' : ` (not named by the call: ${UNNAMED[unnamed]} in the config)`;
  const named = host === '' ? 'no host' : `host ${quote(host, 80)}${from}`;
  if (problem !== undefined) return `${named}: ${visible(problem)}\n`;
  if (vm === undefined) return `${named}\n`;
  return `${named}: VM ${quote(vm, 80)} (${visible(vmIdentifier ?? '')}), VPG ${(vpgs ?? []).map((vpg) => quote(vpg, 80)).join(', ')}\n`;
}
