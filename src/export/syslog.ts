import { type Exported, type Level, levelOf } from './records.js';

/** Severities of RFC 5424. */
const SEVERITY: Readonly<Record<Level, number>> = { info: 6, warn: 4, error: 3 };
const APP = 'zerto-rewind-proxy';

export interface SyslogOptions {
  readonly facility: number;
  readonly hostname: string;
  /** What the text of a message is; else the record as it was written. */
  readonly body?: ((record: Exported) => string) | undefined;
}

/**
 * One message of RFC 5424. The text is ASCII, JSON with `\u` escapes for what is not, so that it needs no mark of its encoding and
 * stays one line; `sequenceId` counts the records of a chain.
 */
export function syslogMessage(record: Exported, { facility, hostname, body }: SyslogOptions): string {
  const priority = facility * 8 + SEVERITY[levelOf(record)];
  const pid = /-(\d+)-[0-9a-f]+$/.exec(record.chain)?.[1] ?? '-';
  const head = [`<${priority}>1`, stampOf(record.at), name(hostname, 255), APP, pid, name(record.kind, 32)].join(' ');
  const order = `[meta sequenceId="${record.seq % 2_147_483_648}"]`;
  return `${head} ${order} ${ascii(body === undefined ? record.text : body(record))}`;
}

/** The message with its length in front, as it goes over TLS (RFC 5425). */
export function framed(message: string): string {
  return `${message.length} ${message}`;
}

/** Microseconds are the finest that RFC 5424 allows; a time that is none is the nil value. */
function stampOf(at: string): string {
  const time = Date.parse(at);
  return Number.isNaN(time) ? '-' : new Date(time).toISOString();
}

function name(text: string, longest: number): string {
  return text.replace(/[^\x21-\x7e]+/g, '_').slice(0, longest) || '-';
}

function ascii(json: string): string {
  return json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
