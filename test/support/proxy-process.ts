import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { type CallToolResult, type ElicitRequest, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { type CallRecords, readCalls } from '../../src/audit/calls.js';
import type { Receipt } from '../../src/domain/receipt.js';
import type { Simulator } from '../../src/simulator/index.js';

/** The program that users start: the build, not the sources. */
export const BIN = join(import.meta.dirname, '..', '..', 'dist', 'src', 'main.js');
const RECORDING = join(import.meta.dirname, '..', 'fixtures', 'e2e', 'recording-server.mjs');

export interface ProxyOptions {
  readonly config: object;
  /** Options before `--`, after `--config`. */
  readonly options?: readonly string[];
  /** Else the recording server; `config`: all servers of the config. */
  readonly downstream?: readonly string[] | 'config';
  /** Milliseconds between a call's arrival at the recording server and its answer. */
  readonly delayMs?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** The human: which choice to give to a question, or none to decline. Without it the client cannot ask. */
  readonly human?: (question: ElicitRequest['params']) => string | undefined | Promise<string | undefined>;
  readonly scratch?: string;
  /** A command that starts the proxy in other surroundings, put before its own. */
  readonly inside?: readonly string[];
}

/** A running proxy with a real client in front and, unless told otherwise, the recording server behind it. */
export interface ProxyProcess {
  readonly client: Client;
  readonly pid: number;
  readonly scratch: string;
  readonly auditDir: string;
  readonly stderr: () => string;
  call(name: string, args: Record<string, unknown>, options?: CallOptions): Promise<CallToolResult>;
  /** What reached the recording server, in order. */
  received(): { readonly at: number; readonly command: string; readonly host?: string }[];
  audit(): Promise<CallRecords[]>;
  close(): Promise<void>;
}

interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: () => void;
}

function within({ inside }: ProxyOptions): readonly string[] {
  return inside === undefined ? [] : [...inside.slice(1), process.execPath];
}

export async function startProxy(options: ProxyOptions): Promise<ProxyProcess> {
  const scratch = options.scratch ?? mkdtempSync(join(tmpdir(), 'rewind-e2e-'));
  const config = join(scratch, 'config.json');
  const recorded = join(scratch, 'received.jsonl');
  writeFileSync(config, JSON.stringify(options.config));
  const recording = [process.execPath, RECORDING, recorded, String(options.delayMs ?? 0)];
  const downstream = options.downstream === 'config' ? [] : ['--', ...(options.downstream ?? recording)];
  const transport = new StdioClientTransport({
    command: options.inside?.[0] ?? process.execPath,
    args: [...within(options), BIN, '--config', config, ...(options.options ?? []), ...downstream],
    env: { ...(process.env as Record<string, string>), XDG_STATE_HOME: scratch, ...options.env },
    stderr: 'pipe',
  });
  let stderr = '';
  (transport.stderr as Readable | null)?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const { human } = options;
  const client = new Client({ name: 'test-agent', version: '1' }, { capabilities: human ? { elicitation: {} } : {} });
  if (human !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
      const choice = await human(params);
      return choice === undefined ? { action: 'decline' } : { action: 'accept', content: { choice } };
    });
  }
  await client.connect(transport);
  const auditDir = join(scratch, 'zerto-rewind-proxy', 'audit');
  return {
    client,
    pid: transport.pid ?? 0,
    scratch,
    auditDir,
    stderr: () => stderr,
    call: async (name, args, { signal, onprogress } = {}) =>
      (await client.callTool({ name, arguments: args }, undefined, {
        timeout: 120_000,
        ...(signal && { signal }),
        ...(onprogress && { onprogress }),
      })) as CallToolResult,
    received: () => lines(recorded),
    audit: async () => {
      const calls: CallRecords[] = [];
      if (!existsSync(auditDir)) return calls;
      for await (const call of readCalls(auditDir)) calls.push(call);
      return calls;
    },
    close: async () => {
      await client.close();
      await rm(scratch, { recursive: true, force: true });
    },
  };
}

function lines(file: string): ReturnType<ProxyProcess['received']> {
  if (!existsSync(file)) return [];
  const whole = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return whole.map((line) => JSON.parse(line) as ReturnType<ProxyProcess['received']>[number]);
}

/** The part of a config that names these simulators as sites. */
export function sitesOf(...simulators: readonly (readonly [name: string, simulator: Simulator])[]): object {
  return {
    sites: simulators.map(([name, { url, user, password, fingerprint256 }]) => ({
      name,
      url,
      auth: { grant: 'password', clientId: 'zerto-client', username: user, password },
      tls: { fingerprint256 },
    })),
  };
}

export function textOf({ content }: CallToolResult): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

export function receiptOf({ _meta }: CallToolResult): Receipt | undefined {
  return _meta?.['zerto-rewind/receipt'] as Receipt | undefined;
}
