import { destination, type LoggerOptions, pino } from 'pino';
import { redactText } from '../audit/redact-text.js';
import type { Logger } from '../domain/ports.js';

export const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type Level = (typeof LEVELS)[number];

/** JSON lines on stderr: stdout belongs to MCP or to the command's own output. Errors are shown by message, secrets by shape are cut. */
export function createLog(level: Level): Logger {
  const options: LoggerOptions = {
    level,
    base: { name: 'zerto-rewind-proxy' },
    serializers: { error: describeError },
    formatters: { level: (label) => ({ level: label }) },
    timestamp: pino.stdTimeFunctions.isoTime,
  };
  const log = pino(options, destination({ dest: 2, sync: true }));
  const at =
    (line: 'debug' | 'info' | 'warn' | 'error') =>
    (fields: Readonly<Record<string, unknown>>, message: string): void =>
      log[line](fields, redactText(message));
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return redactText(String(error));
  const { message, name, cause } = error;
  const details = 'details' in error ? error.details : undefined;
  return { name, message: redactText(message), details, ...(cause !== undefined && { cause: describeError(cause) }) };
}
