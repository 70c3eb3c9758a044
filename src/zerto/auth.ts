import { createHash, randomBytes } from 'node:crypto';
import { ProxyError } from '../domain/errors.js';
import { abortable, type Clock } from './clock.js';
import { refusal, statusOf } from './failure.js';
import type { Http, HttpAnswer } from './http.js';
import { route } from './paths.js';
import { asWire, integer, messageOf, optionalText, readAnswer, text } from './read.js';

/** How to log in. Secrets are fetched when needed, so that they never stand in an object that could be logged. */
export type ZvmLogin =
  | {
      readonly grant: 'password';
      readonly clientId: string;
      readonly username: string;
      readonly password: () => Promise<string>;
    }
  | { readonly grant: 'client_credentials'; readonly clientId: string; readonly clientSecret: () => Promise<string> };

/** Times are milliseconds of the injected clock. */
interface Token {
  readonly access: string;
  readonly refresh: string | undefined;
  readonly renewAt: number;
  readonly expiresAt: number;
  readonly refreshExpiresAt: number;
}

const LOGIN = route`auth/realms/zerto/protocol/openid-connect/token`;
const LABEL = `POST ${LOGIN.endpoint}`;
// An account is locked after some wrong passwords in a row: a refused one is tried again ever more rarely.
const FIRST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 900_000;
// Keycloak's usual lifetimes, for an answer that names none.
const ACCESS_SECONDS = 60;
const REFRESH_SECONDS = 1800;

/** Credentials that were refused, known by a keyed hash, and when they may be tried again. */
interface RefusedLogin {
  readonly key: string;
  readonly until: number;
  readonly waitMs: number;
  readonly error: ProxyError;
}

/** The bearer token of one site: renewed at half its life, by one request for all who wait. */
export class TokenSource {
  readonly #http: Http;
  readonly #login: ZvmLogin;
  readonly #clock: Clock;
  readonly #closed = new AbortController();
  readonly #salt = randomBytes(16);
  #token: Token | undefined;
  #refused: RefusedLogin | undefined;
  #renewal: Promise<Token> | undefined;

  constructor(http: Http, login: ZvmLogin, clock: Clock) {
    this.#http = http;
    this.#login = login;
    this.#clock = clock;
  }

  /** A token that is good for now. Rejects with ZVM_* where the login fails. */
  async token(signal: AbortSignal): Promise<string> {
    const token = this.#token;
    if (token !== undefined && this.#clock.now() < token.renewAt) return token.access;
    try {
      return (await abortable(this.#renew(), signal)).access;
    } catch (error) {
      signal.throwIfAborted();
      // A failed early renewal costs nothing while the old token still holds.
      if (token !== undefined && this.#clock.now() < token.expiresAt) return token.access;
      throw error;
    }
  }

  /** A token other than the one the appliance just answered with 401. Whoever comes second gets what the first one fetched. */
  async replace(refused: string, signal: AbortSignal): Promise<string> {
    const token = this.#token;
    if (token !== undefined && token.access !== refused) return token.access;
    return (await abortable(this.#renew(), signal)).access;
  }

  close(): void {
    this.#closed.abort(new Error('the ZVM client was closed'));
    this.#token = undefined;
  }

  #renew(): Promise<Token> {
    this.#renewal ??= this.#fetch().finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  async #fetch(): Promise<Token> {
    const refresh = this.#token;
    const refreshed =
      refresh?.refresh !== undefined && this.#clock.now() < refresh.refreshExpiresAt
        ? await this.#request({
            grant_type: 'refresh_token',
            refresh_token: refresh.refresh,
            ...(await this.#clientSecret()),
          })
        : undefined;
    // A refresh token that is refused (session ended, service restarted) is no reason to stop: the login decides.
    const answer = refreshed?.status === 200 ? refreshed : await this.#logIn(await this.#credentials());
    const token = readToken(this.#http.site, answer, this.#clock.now());
    this.#token = token;
    return token;
  }

  /** Credentials that were refused wait before they are tried again; others, as of a corrected file, are tried at once. */
  async #logIn(credentials: Record<string, string>): Promise<HttpAnswer> {
    const key = createHash('sha256').update(this.#salt).update(JSON.stringify(credentials)).digest('hex');
    const before = this.#refused?.key === key ? this.#refused : undefined;
    if (before !== undefined && this.#clock.now() < before.until) throw before.error;
    const answer = await this.#request(credentials);
    if (answer.status === 200) this.#refused = undefined;
    if (answer.status === 200) return answer;
    const error = refusal(this.#http.site, LABEL, answer.status, messageOf(answer.text));
    const status = statusOf(error);
    if (status !== 400 && status !== 401 && status !== 403) throw error;
    const waitMs = before === undefined ? FIRST_WAIT_MS : Math.min(before.waitMs * 2, LONGEST_WAIT_MS);
    const held = new ProxyError(error.code, `${error.message} ${notAgain(waitMs)}`, { details: error.details });
    this.#refused = { key, waitMs, until: this.#clock.now() + waitMs, error: held };
    throw held;
  }

  /** The appliance answers 401 to tokens without scope openid. */
  #request(form: Readonly<Record<string, string>>): Promise<HttpAnswer> {
    const common = { client_id: this.#login.clientId, scope: 'openid' };
    return this.#http.send({ method: 'POST', ...LOGIN, form: { ...form, ...common } }, this.#closed.signal);
  }

  async #credentials(): Promise<Record<string, string>> {
    const login = this.#login;
    if (login.grant === 'password') {
      return { grant_type: 'password', username: login.username, password: await secret(login.password) };
    }
    return { grant_type: 'client_credentials', ...(await this.#clientSecret()) };
  }

  async #clientSecret(): Promise<Record<string, string>> {
    const login = this.#login;
    return login.grant === 'client_credentials' ? { client_secret: await secret(login.clientSecret) } : {};
  }
}

function notAgain(waitMs: number): string {
  return `The login is not tried again for ${waitMs / 1000} s, so that the account is not locked; the operator has to correct it.`;
}

async function secret(read: () => Promise<string>): Promise<string> {
  const value = await read();
  if (value === '') throw new ProxyError('CONFIG_INVALID', 'The secret for the ZVM login is empty.');
  return value;
}

function readToken(site: string, answer: HttpAnswer, now: number): Token {
  return readAnswer(site, LABEL, answer.status, answer.text, (value) => {
    const wire = asWire(value, 'token');
    const life = (integer(wire, 'expires_in') ?? ACCESS_SECONDS) * 1000;
    const refreshLife = (integer(wire, 'refresh_expires_in') ?? REFRESH_SECONDS) * 1000;
    return {
      access: text(wire, 'access_token'),
      refresh: optionalText(wire, 'refresh_token'),
      renewAt: now + life / 2,
      expiresAt: now + life,
      // Keycloak says 0 for an offline session, which does not end by itself.
      refreshExpiresAt: refreshLife === 0 ? Number.POSITIVE_INFINITY : now + refreshLife,
    };
  });
}
