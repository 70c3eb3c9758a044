import { destination, type LoggerOptions, pino } from 'pino';
import { NO_RULES, type OperatorRedaction } from '../audit/redact-config.js';
import { redactHosts } from '../audit/redact-text.js';
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
      const own = redaction();
      log[line](withoutSecrets(fields, own, 0) as object, textOf(message, own));
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

const DEEPEST = 6;
const REDACTED = (): string => '[redacted]';

function textOf(text: string, own: OperatorRedaction): string {
  return own.words(redactHosts(text), REDACTED);
}

/** Fields are names, numbers and messages of others: any text among them may repeat what a caller wrote. */
function withoutSecrets(value: unknown, own: OperatorRedaction, depth: number): unknown {
  if (typeof value === 'string') return textOf(value, own);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEPEST) return '[nested too deep]';
  if (value instanceof Error) return withoutSecrets(describeError(value), own, depth + 1);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, own, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, withoutSecrets(member, own, depth + 1)]),
  );
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
