import { spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { afterAll, afterEach } from 'vitest';
import { type AuditFile, type AuditOptions, openAuditLog } from '../../src/audit/log.js';
import { assess } from '../../src/domain/assessment.js';
import type { Decision } from '../../src/domain/decision.js';
import type { Judged, Logger } from '../../src/domain/ports.js';
import type { Receipt } from '../../src/domain/receipt.js';
import { NO_AIM } from '../../src/domain/target.js';
import { target, toolCall, vpg } from '../support/calls.js';

const made: string[] = [];
afterAll(() => {
  for (const dir of made) rmSync(dir, { recursive: true, force: true });
});

/** A directory (0700) that goes when the file's tests are done. */
export function tempDir(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'audit-')));
  made.push(dir);
  return dir;
}

export const FORWARD: Decision = { kind: 'forward', rule: 'read_only' };
const APP01 = target('app01', vpg('vpg-app'));
export const PIN: Decision = { kind: 'pin_then_forward', rule: 'mutating', targets: [APP01] };

const READING = { interceptor: 'ssh', operations: [], hosts: [] } as const;

export function judged(
  id: string,
  parts: Partial<Judged['call']> = {},
  effect: 'mutating' | 'read_only' = 'mutating',
): Judged {
  const call = toolCall({ id, ...parts });
  const roles = Object.fromEntries(Object.keys(call.arguments).map((name) => [name, 'unknown' as const]));
  return {
    call,
    reading: { ...READING, roles, hosts: [{ value: 'app01', argument: 'profile' }] },
    assessment: assess([{ effect, subject: String(call.arguments['command'] ?? ''), why: 'a test' }]),
    aim: effect === 'read_only' ? NO_AIM : { targets: [APP01], problems: [] },
  };
}

export function receipt(id: string, parts: Partial<Receipt> = {}): Receipt {
  const point = { checkpointIdentifier: '41', timestamp: '2026-01-01T00:00:00Z' };
  return {
    id,
    change: `c_${id}`,
    session: 's1',
    agent: 'test-agent',
    server: 'ssh',
    tool: 'run-command',
    digest: 'd'.repeat(64),
    pinnedAt: '2026-01-01T00:00:05.000Z',
    permit: 'pinned',
    consistency: 'crash',
    covers: 'vm',
    vms: [
      {
        name: 'app01',
        vmIdentifier: 'guid.app01',
        vpgs: [
          {
            name: 'vpg-app',
            vpgIdentifier: 'id-vpg-app',
            site: 'site-a',
            tag: {
              name: `ai:test-agent | ssh:systemctl | vm=app01 | change=c_${id} | 2026-01-01T00:00:04.000Z`,
              ...point,
            },
            recoverFrom: { ...point, why: 'the tag precedes the forward' },
          },
        ],
      },
    ],
    ...parts,
  };
}

export interface Said {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

export function logger(said: Said[] = []): Logger {
  const line = (fields: Readonly<Record<string, unknown>>, message: string) => void said.push({ fields, message });
  return { debug: line, info: line, warn: line, error: line };
}

const opened: AuditFile[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((audit) => audit.close()));
});

/** A log that the end of the test closes. */
export function auditIn(dir: string, parts: Partial<AuditOptions> = {}): AuditFile {
  const audit = openAuditLog({
    dir,
    level: 'all',
    now: () => new Date(),
    log: logger(),
    process: { version: '0.1.0', pid: process.pid, platform: process.platform },
    ...parts,
  });
  opened.push(audit);
  return audit;
}

export const logsIn = (dir: string): string[] => readdirSync(dir).filter((name) => name.endsWith('.jsonl'));

export function recordsIn(dir: string): Record<string, unknown>[] {
  return logsIn(dir).flatMap((name) =>
    readFileSync(join(dir, name), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>),
  );
}

/** The sources as JavaScript in a directory of their own, so that a child process can run them without a build. */
export function transpiled(): string {
  const root = process.cwd();
  const out = tempDir();
  const sources = ['src/audit', 'src/domain', 'test/fixtures/audit'].flatMap((folder) =>
    readdirSync(join(root, folder), { encoding: 'utf8', recursive: true })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  );
  for (const source of sources) {
    const to = join(out, source.replace(/ts$/, 'js'));
    mkdirSync(dirname(to), { recursive: true });
    const { outputText } = ts.transpileModule(readFileSync(join(root, source), 'utf8'), {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
    });
    writeFileSync(to, outputText);
  }
  writeFileSync(join(out, 'package.json'), '{"type":"module"}');
  symlinkSync(join(root, 'node_modules'), join(out, 'node_modules'), 'junction');
  return out;
}

/** Runs the fixture that writes calls; its lines name calls whose intent was acknowledged. */
export function writer(code: string, dir: string, ...args: string[]) {
  const child = spawn(process.execPath, [join(code, 'test/fixtures/audit/writer.js'), dir, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return { child, exited, lines: () => text.split('\n').slice(0, -1) };
}
