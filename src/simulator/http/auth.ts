import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../clock.js';
import type { Knobs } from '../knobs.js';

/** Who may log in. A client with a secret may do so for itself. */
export interface Accounts {
  readonly user: string;
  readonly password: string;
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
}

interface Token {
  readonly user: string;
  readonly expires: number;
  readonly scoped: boolean;
  readonly use: 'access' | 'refresh';
}

export interface Auth {
  /** Answers the token endpoint: status and body. */
  login(contentType: string, body: string): { readonly status: number; readonly value: unknown };
  /** The user of an Authorization header; undefined where it does not hold. */
  check(header: string | undefined): string | undefined;
  revokeAll(): void;
}

/** Tokens are opaque, look like the real ones, and age on the world's clock. */
export function createAuth(accounts: Accounts, clock: Clock, knobs: Knobs): Auth {
  const tokens = new Map<string, Token>();

  function issue(user: string, scoped: boolean, use: Token['use'], seconds: number): string {
    for (const [text, token] of tokens) if (token.expires <= clock.now()) tokens.delete(text);
    const text = [
      'eyJhbGciOiJzaW11bGF0ZWQifQ',
      randomBytes(24).toString('base64url'),
      randomBytes(16).toString('base64url'),
    ].join('.');
    tokens.set(text, { user, scoped, use, expires: clock.now() + seconds * 1000 });
    return text;
  }

  function live(text: string, use: Token['use']): Token | undefined {
    const token = tokens.get(text);
    return token?.use === use && token.expires > clock.now() ? token : undefined;
  }

  function grant(user: string, scoped: boolean, refreshable: boolean) {
    const refresh = refreshable
      ? {
          refresh_expires_in: knobs.refreshSeconds,
          refresh_token: issue(user, scoped, 'refresh', knobs.refreshSeconds),
        }
      : { refresh_expires_in: 0 };
    const value = {
      access_token: issue(user, scoped, 'access', knobs.tokenSeconds),
      expires_in: knobs.tokenSeconds,
      ...refresh,
      token_type: 'Bearer',
      'not-before-policy': 0,
      ...(refreshable ? { session_state: '00000000-0000-4000-8000-000000000000' } : {}),
      scope: scoped ? 'openid profile email' : 'profile email',
    };
    return { status: 200, value };
  }

  function byPassword(form: URLSearchParams, scoped: boolean) {
    if (form.get('client_id') !== PUBLIC_CLIENT)
      return error(401, 'invalid_client', 'Invalid client or Invalid client credentials');
    const right = same(form.get('username'), accounts.user) && same(form.get('password'), accounts.password);
    return right ? grant(accounts.user, scoped, true) : error(401, 'invalid_grant', 'Invalid user credentials');
  }

  function byClient(form: URLSearchParams, scoped: boolean) {
    const { clientId, clientSecret } = accounts;
    if (form.get('client_id') === PUBLIC_CLIENT)
      return error(401, 'unauthorized_client', 'Public client not allowed to retrieve service account');
    const known = clientId !== undefined && clientSecret !== undefined;
    const right = known && same(form.get('client_id'), clientId) && same(form.get('client_secret'), clientSecret);
    return right
      ? grant(`service-account-${clientId}`, scoped, false)
      : error(401, 'invalid_client', 'Invalid client or Invalid client credentials');
  }

  function byRefresh(form: URLSearchParams) {
    const token = live(form.get('refresh_token') ?? '', 'refresh');
    if (token === undefined || form.get('client_id') !== PUBLIC_CLIENT)
      return error(400, 'invalid_grant', 'Token is not active');
    return grant(token.user, token.scoped, true);
  }

  return {
    login(contentType, body) {
      if (!/^application\/x-www-form-urlencoded\b/i.test(contentType))
        return error(400, 'invalid_request', 'Missing form parameter: grant_type');
      const form = new URLSearchParams(body);
      const scoped = (form.get('scope') ?? '').split(' ').includes('openid');
      switch (form.get('grant_type')) {
        case 'password':
          return byPassword(form, scoped);
        case 'client_credentials':
          return byClient(form, scoped);
        case 'refresh_token':
          return byRefresh(form);
        case null:
          return error(400, 'invalid_request', 'Missing form parameter: grant_type');
        default:
          return error(400, 'unsupported_grant_type', 'Unsupported grant_type');
      }
    },
    check(header) {
      const token = live(/^Bearer ([^\s]+)$/i.exec(header ?? '')?.[1] ?? '', 'access');
      return token !== undefined && (token.scoped || !knobs.requireScope) ? token.user : undefined;
    },
    revokeAll: () => tokens.clear(),
  };
}

/** The client that ships with the appliance; it has no secret. */
const PUBLIC_CLIENT = 'zerto-client';

function error(status: number, name: string, description: string) {
  return { status, value: { error: name, error_description: description } };
}

function same(given: string | null, right: string): boolean {
  const [a, b] = [Buffer.from(given ?? ''), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
