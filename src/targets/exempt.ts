import { bareHost, inNetwork } from './address.js';
import { lower } from './find-vm.js';

/** An operator's rule: hosts (globs with `*` and `?`, or networks) that need no checkpoint, and why. */
export interface ExemptRule {
  readonly hosts: readonly string[];
  readonly reason: string;
}

/** One plain host name: what holds more could stand for more than the rule's hosts. */
const NAME = /^[\p{L}\p{M}\p{N}._-]+$/u;

/** The rule that a name, as the caller wrote it, falls under. Who logs in and through which port says nothing of the host. */
export function exemptRule(name: string, rules: readonly ExemptRule[]): ExemptRule | undefined {
  const host = bareHost(name);
  const isName = NAME.test(host);
  return rules.find((rule) =>
    rule.hosts.some((pattern) => (isName && matchesGlob(host, pattern)) || inNetwork(host, pattern)),
  );
}

/** `*` for any text, `?` for one character, ASCII case ignored. In time linear in text times pattern. */
export function matchesGlob(text: string, pattern: string): boolean {
  const characters = [...lower(text)];
  const parts = [...lower(pattern)];
  if (characters.length === 0) return false;
  let at = 0;
  let part = 0;
  let star = -1;
  let resume = 0;
  while (at < characters.length) {
    if (part < parts.length && parts[part] === '*') {
      star = part;
      resume = at;
      part += 1;
    } else if (part < parts.length && (parts[part] === '?' || parts[part] === characters[at])) {
      at += 1;
      part += 1;
    } else if (star >= 0) {
      resume += 1;
      at = resume;
      part = star + 1;
    } else return false;
  }
  return parts.slice(part).every((rest) => rest === '*');
}
