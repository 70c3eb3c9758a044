import { quote } from '../../domain/text.js';
import type { HttpAnswer } from './http.js';

interface Refused {
  readonly who: string;
  readonly server: string;
  readonly ownHeaders: readonly string[];
}

/** What a status says about a request: turned down, so that it surely was not carried out, or unknown. */
export interface StatusText {
  readonly turnedDown: boolean;
  readonly text: string;
}

/** The words for an HTTP answer that holds no message. Names headers, never their values. */
export function statusText({ status, headers }: HttpAnswer, { who, server, ownHeaders }: Refused): StatusText {
  const refused = `${who} refused the request (HTTP ${status})`;
  const not = 'The request was turned down and not carried out.';
  if (status === 401 || status === 403) {
    const set = ownHeaders.length > 0 ? ` (it is sent ${ownHeaders.map((name) => quote(name)).join(', ')})` : '';
    const config = `mcpServers.${server}.headersEnv`;
    const what = status === 401 ? 'It wants a login' : 'It does not allow this';
    return {
      turnedDown: true,
      text: `${refused}. ${what}: check the header "Authorization" in ${config}${set}. ${not}`,
    };
  }
  if (status >= 300 && status < 400) {
    return {
      turnedDown: true,
      text: `${who} sends the request elsewhere${placeOf(headers.location)} (HTTP ${status}), which is not followed. Give that URL in the config if it is right. ${not}`,
    };
  }
  if (status >= 400 && status < 500 && status !== 408) return { turnedDown: true, text: `${refused}. ${not}` };
  return { turnedDown: false, text: `${who} answered HTTP ${status}.` };
}

/** The origin of a redirect: a path or a query could hold a key. */
function placeOf(location: string | undefined): string {
  return location !== undefined && URL.canParse(location) ? `, to ${quote(new URL(location).origin)}` : '';
}
