import { readFile } from 'node:fs/promises';
import type { Server, ToolDescription } from '../domain/call.js';
import { ProxyError } from '../domain/errors.js';
import { quote } from '../domain/text.js';

/** The tools that a file lists, and what their server calls itself where the file says so. */
export interface ToolsList {
  readonly tools: readonly ToolDescription[];
  readonly info?: Server['info'];
}

/** Reads a `tools/list` result: `{tools}`, the whole answer, or the list alone. Throws CONFIG_INVALID that says what is wrong with the file. */
export async function readToolsList(file: string): Promise<ToolsList> {
  const value = parse(await readText(file), file);
  const found = Array.isArray(value) ? value : (member(value, 'tools') ?? member(member(value, 'result'), 'tools'));
  if (!Array.isArray(found)) throw invalid(file, 'has no list "tools": give the result of tools/list');
  const info = infoOf(member(value, 'serverInfo') ?? member(member(value, 'init'), 'serverInfo'));
  return { tools: found.map((tool: unknown, index) => toolOf(tool, index, file)), ...(info !== undefined && { info }) };
}

function toolOf(tool: unknown, index: number, file: string): ToolDescription {
  const name = member(tool, 'name');
  if (typeof name !== 'string') throw invalid(file, `tools[${index}] has no name`);
  const destructiveHint = member(member(tool, 'annotations'), 'destructiveHint');
  return {
    name,
    inputSchema: member(tool, 'inputSchema') ?? null,
    annotations: typeof destructiveHint === 'boolean' ? { destructiveHint } : undefined,
  };
}

function infoOf(info: unknown): Server['info'] {
  const name = member(info, 'name');
  const version = member(info, 'version');
  return typeof name === 'string' ? { name, version: typeof version === 'string' ? version : '' } : undefined;
}

async function readText(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).replace(/^\ufeff/, '');
  } catch (error) {
    throw invalid(
      file,
      `cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)}): check the path and its permissions`,
    );
  }
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw invalid(file, 'is not JSON');
  }
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

function invalid(file: string, why: string): ProxyError {
  return new ProxyError('CONFIG_INVALID', `${quote(file)} ${why}.`);
}
