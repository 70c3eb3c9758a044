import { validateHeaderName, validateHeaderValue } from 'node:http';
import { ProxyError } from '../../domain/errors.js';
import { quote } from '../../domain/text.js';
import { isLoopbackHost } from '../loopback.js';

/** Set for each request by HTTP itself or by the protocol: a configured one would break either. */
const RESERVED: readonly string[] = [
  'connection',
  'content-length',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'expect',
  'te',
];

/** The URL of an MCP server. Throws CONFIG_INVALID where it is none, or holds a login, which would end up in logs. */
export function remoteUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new ProxyError('CONFIG_INVALID', `The URL of an MCP server must be https://HOST/PATH. Nothing was started.`);
  }
  if (url.username !== '' || url.password !== '') {
    const message = `The URL of the MCP server at ${quote(url.host)} holds a login. Give it as a header: headersEnv in the config.`;
    throw new ProxyError('CONFIG_INVALID', message);
  }
  url.hash = '';
  return url;
}

/** Throws CONFIG_INVALID for a header that cannot be sent; names it, never its value. */
export function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch {
      throw new ProxyError('CONFIG_INVALID', `The header ${quote(name)} or its value is none that can be sent.`);
    }
    if (RESERVED.includes(name.toLowerCase())) {
      throw new ProxyError(
        'CONFIG_INVALID',
        `The header ${quote(name)} is set by HTTP itself. Remove it from the config.`,
      );
    }
  }
}

/** True for a host that is this machine, where nobody can read along. */
export function isLoopback({ hostname }: URL): boolean {
  return isLoopbackHost(hostname === '[::1]' ? '::1' : hostname);
}
