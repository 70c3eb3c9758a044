import { destination, type LoggerOptions, pino } from 'pino';
import { NO_RULES, type OperatorRedaction } from '../audit/redact/config.js';
import { KnownSecrets } from '../audit/redact/known.js';
import type { Mark } from '../audit/redact/marks.js';
import { redactArguments, redactFree } from '../audit/redact/redact.js';
import { redactHosts } from '../audit/redact/text.js';
import type { Logger } from '../domain/ports.js';

export const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type Level = (typeof LEVELS)[number];

/** JSON lines on stderr: stdout belongs to MCP or to the command's own output. Errors are shown by message, secrets are cut everywhere. */
export function createLog(level: Level, redaction: () => OperatorRedaction = () => NO_RULES): Logger {
  const options: LoggerOptions = {
    level,
    base: { name: 'zerto-rewind-proxy' },
    formatters: { level: (label) => ({ level: label }) },
    timestamp: pino.stdTimeFunctions.isoTime,
  };
  const log = pino(options, destination({ dest: 2, sync: true }));
  const at =
    (line: 'debug' | 'info' | 'warn' | 'error') =>
    (fields: Readonly<Record<string, unknown>>, message: string): void => {
      if (!log.isLevelEnabled(line)) return;
      log[line](...withoutSecrets(fields, message, redaction()));
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

const DEEPEST = 6;
/** Longer texts are cut; a login beside the cut is none of them. */
const LONGEST = 16 * 1024;
const REDACTED = (): string => '[redacted]';

/** Fields are names, numbers and messages of others: any text among them may repeat what a caller wrote. */
export function withoutSecrets(
  fields: Readonly<Record<string, unknown>>,
  message: string,
  own: OperatorRedaction,
): readonly [fields: Record<string, unknown>, message: string] {
  const known = new KnownSecrets(REDACTED);
  const shown = redactArguments(plain(fields, known.mark, 0) as Record<string, unknown>, {}, REDACTED, known, own);
  return [shown, redactFree(String(plain(known.replaceIn(message), known.mark, 0)), REDACTED, own)];
}

/** Errors by their message and cause, times as text; each text without the logins of hosts. */
function plain(value: unknown, mark: Mark, depth: number): unknown {
  if (typeof value === 'string') return value.length > LONGEST ? value : redactHosts(value, mark);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEPEST) return '[nested too deep]';
  if (value instanceof Error) return plain(describeError(value), mark, depth + 1);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map((item) => plain(item, mark, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member, mark, depth + 1)]));
}

function describeError(error: Error): unknown {
  const { message, name, cause } = error;
  const details = 'details' in error ? error.details : undefined;
  return {
    name,
    message,
    details,
    ...(cause !== undefined && { cause: cause instanceof Error ? cause : String(cause) }),
  };
}
