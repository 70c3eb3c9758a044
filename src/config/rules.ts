import { isIP } from 'node:net';
import type { z } from 'zod';

type Context = z.core.$RefinementCtx;

/** 32 bytes in hex, with or without colons. */
export const fingerprint = /^([0-9a-f]{2}:?){31}[0-9a-f]{2}$/i;

/** Exactly one of `x`, `xEnv` and `xFile`. */
export function oneSecret(key: string): (value: object, context: Context) => void {
  const keys = [key, `${key}Env`, `${key}File`];
  return (value, context) => {
    const given = keys.filter((one) => Object.hasOwn(value, one));
    if (given.length !== 1) context.addIssue({ code: 'custom', message: `give exactly one of ${keys.join(', ')}` });
  };
}

/** At most one of `keys`; and where one is given, `flag` may not be false. */
export function oneOf(keys: readonly string[], flag?: string): (value: object, context: Context) => void {
  return (value, context) => {
    const given = keys.filter((one) => Object.hasOwn(value, one));
    if (given.length > 1) context.addIssue({ code: 'custom', message: `give only one of ${keys.join(', ')}` });
    const off = flag !== undefined && Object.entries(value).some(([key, set]) => key === flag && set === false);
    if (given.length > 0 && off)
      context.addIssue({ code: 'custom', message: `${flag}: false contradicts ${given[0]}` });
  };
}

/** At least one of `keys`. */
export function someOf(keys: readonly string[]): (value: object, context: Context) => void {
  return (value, context) => {
    if (keys.every((one) => !Object.hasOwn(value, one)))
      context.addIssue({ code: 'custom', message: `give ${keys.join(' or ')}` });
  };
}

/** https, a host, and nothing that could carry a login or a place on the appliance. */
export function zvmUrl(value: string, context: Context): void {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const plain =
    url !== undefined &&
    url.username === '' &&
    url.password === '' &&
    url.search === '' &&
    url.hash === '' &&
    url.pathname === '/';
  if (url?.protocol !== 'https:' || !plain)
    context.addIssue({ code: 'custom', message: 'expected https://HOST or https://HOST:PORT, and nothing more' });
}

/** http or https, and nothing that could carry a login. */
export function collectorUrl(value: string, context: Context): void {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const plain = url !== undefined && url.username + url.password + url.search + url.hash === '';
  if (!plain || !/^https?:$/.test(url.protocol))
    context.addIssue({ code: 'custom', message: 'expected https://HOST[:PORT][/PATH]; a login goes into headersEnv' });
}

/** Both keys or neither. */
export function pairOf(one: string, other: string): (value: object, context: Context) => void {
  return (value, context) => {
    if (Object.hasOwn(value, one) !== Object.hasOwn(value, other))
      context.addIssue({ code: 'custom', message: `${one} and ${other} belong together` });
  };
}

/** A glob over host names, or a network with its prefix length. */
export function exempt(value: string, context: Context): void {
  const [network, bits, more] = value.split('/');
  if (bits === undefined) {
    if (value.trim() === '' || /\s/.test(value))
      context.addIssue({ code: 'custom', message: 'expected a host name, a glob or a network' });
    return;
  }
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(network ?? '')] ?? -1;
  const fits = more === undefined && /^\d{1,3}$/.test(bits) && Number(bits) <= most;
  if (!fits) context.addIssue({ code: 'custom', message: 'expected a network such as 10.9.0.0/16' });
}

/** A pattern of wildcards alone would stand for everything. */
export function someText(value: string, context: Context): void {
  if (/\s/.test(value) || !value.split(/[*?]+/).some((part) => part.length >= 3))
    context.addIssue({
      code: 'custom',
      message: 'expected one word with at least three characters in a row that are no wildcard',
    });
}

/** A pattern of words that holds what ends a word would stand for none. */
export function withinWord(value: string, context: Context): void {
  if (/['"`;|&<>()=,{}[\]]/.test(value))
    context.addIssue({
      code: 'custom',
      message: 'expected a part of one word: no word holds quotes, brackets or ; & | < > = ,',
    });
}

/** No two entries whose names differ only in case. */
export function noTwins<T, V extends object = readonly T[]>(
  nameOf: (item: T) => string,
  what: string,
  items: (value: V) => readonly T[] = (value) => Object.values(value),
): (value: V, context: Context) => void {
  return (value, context) => {
    const seen = new Set<string>();
    for (const item of items(value)) {
      const folded = nameOf(item).toLowerCase();
      if (seen.has(folded))
        context.addIssue({
          code: 'custom',
          message: `two entries have the ${what} ${JSON.stringify(nameOf(item))}, apart from its case`,
        });
      seen.add(folded);
    }
  };
}
