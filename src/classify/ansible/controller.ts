import type { Finding } from '../../domain/assessment.js';
import type { Arguments } from './arguments.js';
import { isPlainExpression } from './expression.js';
import type { Module } from './modules/index.js';

const LOCAL: readonly unknown[] = ['localhost', '127.0.0.1', '::1'];
const CONNECTIONS: readonly unknown[] = ['local', 'ansible.builtin.local', 'ansible.legacy.local'];
const MAX_DEPTH = 32;

/** What is known of where a module does its work: on the host, on the controller or what that reaches by itself, or on either. */
export function placeOf({ name }: Module, args: Arguments): 'host' | 'controller' | 'either' {
  if (name === 'ansible.builtin.fetch' || name.startsWith('community.vmware.')) return 'controller';
  if (name !== 'ansible.posix.synchronize') return 'host';
  const mode = args.kind === 'read' ? (args.options.get('mode') ?? 'push') : undefined;
  return mode === 'push' ? 'host' : mode === 'pull' ? 'controller' : 'either';
}

/** Whether a task, block or play says that it runs on the controller, in place of its hosts. */
export function isOnController(entries: Readonly<Record<string, unknown>>): boolean {
  const hosts = entries['delegate_to'] ?? entries['hosts'];
  return LOCAL.includes(hosts) || CONNECTIONS.includes(entries['connection']) || 'local_action' in entries;
}

/** Findings of what no checkpoint of a host holds. */
export function elsewhere(findings: readonly Finding[]): readonly Finding[] {
  return findings.map((finding) => ({ ...finding, elsewhere: true }));
}

/** A doubt where the controller may run something to render a value: a template in it does more than name variables and compare. */
export function renderFindings(value: unknown, subject: string): readonly Finding[] {
  const why = 'the controller runs what a template in it calls';
  return callsSomething(value, 0) ? [{ effect: 'unknown', subject, why, elsewhere: true }] : [];
}

function callsSomething(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return isCall(value);
  if (typeof value !== 'object' || value === null) return false;
  if (depth > MAX_DEPTH) return true;
  return Object.entries(value).some(([key, inner]) => isCall(key) || callsSomething(inner, depth + 1));
}

function isCall(text: string): boolean {
  if (text.includes('{%')) return true;
  const parts = text.split('{{').slice(1);
  return parts.some((part) => {
    const end = part.indexOf('}}');
    return end < 0 || !isPlainExpression(part.slice(0, end).trim());
  });
}
