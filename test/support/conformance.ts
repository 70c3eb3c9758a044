import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { TOOL_ARGUMENTS } from '../fixtures/conformance/definition.mjs';

const require = createRequire(import.meta.url);

/** The fixture that passes every scenario, on stdio. */
export const CONFORMANCE_SERVER = join(import.meta.dirname, '..', 'fixtures', 'conformance', 'server.mjs');

/** Rules of a config that say what the fixture's tools are: they touch no VM. */
export const CONFORMANCE_RULES = Object.fromEntries(
  Object.entries(TOOL_ARGUMENTS).map(([name, args]) => {
    const example = Object.fromEntries(args.map((each) => [each, 'x']));
    const roles = Object.fromEntries(args.map((each) => [each, 'option']));
    return [name, { roles, effect: 'read_only', examples: [{ arguments: example, effect: 'read_only' }] }];
  }),
);

/** Why the official suite cannot run, or undefined. In CI it must. */
export function whyNoSuite(): string | undefined {
  if (existsSync(suiteProgram() ?? '') || process.env['CI'] !== undefined) return undefined;
  return '@modelcontextprotocol/conformance is not installed';
}

/** What the suite said: each check of each scenario as `scenario: check status`, sorted; notes about its own requests are left out. */
export interface Verdict {
  readonly checks: readonly string[];
  readonly scenarios: number;
  readonly output: string;
}

/** Runs every server scenario of the official suite against a URL. */
export async function runSuite(url: string): Promise<Verdict> {
  const program = suiteProgram();
  if (program === undefined) throw new Error('@modelcontextprotocol/conformance is not installed');
  const out = mkdtempSync(join(tmpdir(), 'rewind-suite-'));
  try {
    const child = spawn(process.execPath, [program, 'server', '--url', url, '--suite', 'all', '-o', out]);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    await once(child, 'close');
    const scenarios = readdirSync(out);
    return { checks: scenarios.flatMap((dir) => checksOf(out, dir)).sort(), scenarios: scenarios.length, output };
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

const NOTES = ['outgoing-request', 'incoming-response', 'incoming-sse-event', 'stream-closed'];

function checksOf(out: string, dir: string): readonly string[] {
  const scenario = dir.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\d.*$/, '');
  const checks = JSON.parse(readFileSync(join(out, dir, 'checks.json'), 'utf8')) as readonly Check[];
  return checks
    .filter(({ id, status }) => !NOTES.includes(id) || status === 'FAILURE')
    .map(({ id, status, errorMessage }) => `${scenario}: ${id} ${status}${errorMessage ? ` (${errorMessage})` : ''}`);
}

/** The fixture over Streamable HTTP. */
export async function startConformanceServer(): Promise<{ readonly url: string; close(): void }> {
  const child: ChildProcess = spawn(process.execPath, [CONFORMANCE_SERVER, 'http'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = (await once(child.stdout as NonNullable<typeof child.stdout>, 'data')) as [Buffer];
  return { url: `http://127.0.0.1:${port.toString().trim()}/mcp`, close: () => void child.kill() };
}

function suiteProgram(): string | undefined {
  try {
    const file = require.resolve('@modelcontextprotocol/conformance/package.json');
    return join(dirname(file), 'dist', 'index.js');
  } catch {
    return undefined;
  }
}
