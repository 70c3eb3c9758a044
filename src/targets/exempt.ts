import { matchesWildcards } from '../domain/wildcard.js';
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

/** `*` for any text, `?` for one character, ASCII case ignored; no pattern stands for an empty text. */
export function matchesGlob(text: string, pattern: string): boolean {
  const characters = [...lower(text)];
  return characters.length > 0 && matchesWildcards(characters, [...lower(pattern)]);
}
