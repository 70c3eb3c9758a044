import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { HostName, Server } from '../../src/domain/call.js';
import type { Meaning } from '../../src/domain/target.js';
import { openServerConfigs, type ServerConfigs, type ServerStart } from '../../src/servers/index.js';

/** A home directory of its own, with these files. */
export function makeHome(files: Readonly<Record<string, string>> = {}): {
  readonly dir: string;
  write(name: string, text: string): string;
  remove(): void;
} {
  const dir = mkdtempSync(join(tmpdir(), 'rewind-servers-'));
  const write = (name: string, text: string): string => {
    const path = join(dir, name);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  return { dir, write, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

/** What the configuration of a server says of names, as calls follow each other. */
export interface Asked {
  meaning(value: string, more?: Partial<HostName>): Promise<Meaning>;
  readonly configs: ServerConfigs;
}

export function ask(start: ServerStart, home: string, server: Server = { name: 'it' }, interceptor = 'x'): Asked {
  const configs = openServerConfigs({ platform: process.platform, home, cwd: home, env: process.env });
  configs.starting(server, start);
  return {
    configs,
    meaning: async (value, more = {}) => {
      const hosts = value === '' && more.argument === undefined ? [] : [{ value, argument: 'server', ...more }];
      const meant = await configs.names(
        { interceptor, roles: {}, operations: [], hosts },
        server,
        AbortSignal.timeout(5000),
      );
      return meant?.[0]?.meaning ?? { kind: 'as_written' };
    },
  };
}

/** One text for a meaning: where each connection goes, or that there is none. */
export function shown(meaning: Meaning): string {
  if (meaning.kind !== 'machines') return meaning.kind;
  return meaning.machines
    .map(
      ({ name, address, port, via = [] }) =>
        `${name}=${address ?? name}:${port ?? 22}${via.map((hop) => ` via ${hop}`).join('')}`,
    )
    .join(' ');
}

/** The published server itself, without the proxy. */
export interface RealServer {
  /** The text of a tool's answer. */
  call(tool: string, args: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
}

export async function startReal(start: ServerStart): Promise<RealServer> {
  const transport = new StdioClientTransport({
    command: start.command,
    args: [...start.args],
    env: Object.fromEntries(
      Object.entries(start.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
    ...(start.cwd !== undefined && { cwd: start.cwd }),
    stderr: 'ignore',
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  return {
    call: async (name, args) => {
      const { content } = (await client.callTool({ name, arguments: args })) as {
        content: readonly { text?: string }[];
      };
      return content.map(({ text = '' }) => text).join('\n');
    },
    close: () => client.close(),
  };
}
