import type { ZvmTls } from '../config/config.js';
import { ProxyError } from '../domain/errors.js';
import { quote, visible } from '../domain/text.js';
import type { ZvmClient } from '../zerto/client.js';
import { presentedFingerprint } from '../zerto/tls.js';
import { about, type Check } from './check.js';
import { oneLine } from './config-file.js';
import { rolesCheck } from './roles.js';

/** One appliance to look at. */
export interface Site {
  readonly name: string;
  readonly url: string;
  readonly tls: ZvmTls;
  /** Whom the proxy logs in as, for people. */
  readonly account: string;
  readonly client: ZvmClient;
  readonly simulated: boolean;
}

const CONNECT_MS = 10_000;
/** Records and receipts of a machine whose clock is further away are hard to lay beside the appliance's own. */
const SKEW_MS = 30_000;

/** Reachability, certificate, login, roles, version and clock. Nothing is changed. Stops at the first thing without which the rest says nothing. */
export async function siteChecks(site: Site, signal: AbortSignal): Promise<readonly Check[]> {
  const { name, client } = site;
  const { hostname, port } = new URL(site.url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const presented = await presentedFingerprint(host, Number(port || 443), CONNECT_MS);
  const simulated = site.simulated ? [simulatedCheck(name)] : [];
  const answer = await client.localSite(signal).then(
    (local) => ({ kind: 'local' as const, local }),
    (error: unknown) => ({ kind: 'error' as const, error }),
  );
  signal.throwIfAborted();
  if (answer.kind === 'error') return [...simulated, ...troubles(site, presented, answer.error)];
  const { local } = answer;
  const version = local.version === undefined ? 'a version that it does not tell' : visible(local.version);
  return [
    ...simulated,
    about('site.reach', name).pass(quote(site.url)),
    trustedCheck(site, presented),
    about('site.login', name).pass(visible(site.account)),
    rolesCheck(name, await client.roles(signal)),
    about('site.version', name).pass(
      `${quote(local.siteName)}, ${version}, type ${visible(local.siteType ?? 'not told')}`,
    ),
    await clockCheck(site, signal),
  ];
}

function simulatedCheck(name: string): Check {
  return about('site.simulated', name).warn(
    'this appliance is SIMULATED: it protects no real VM',
    'Name your own appliance under "zvm" in the config.',
  );
}

function trustedCheck({ name, tls }: Site, presented: string | undefined): Check {
  const check = about('site.certificate', name);
  const shown = `SHA-256 ${presented ?? 'unknown'}`;
  switch (tls.kind) {
    case 'fingerprint':
      return check.pass(`pinned: ${shown}`);
    case 'caFile':
      return check.pass(`signed by an authority of ${quote(tls.caFile)}: ${shown}`);
    case 'verify':
      return check.pass(`signed by an authority that this machine trusts: ${shown}`);
    case 'off':
      return check.warn(
        `it is not checked at all ("verify": false): whoever stands between can read the login; presented is ${shown}`,
        'Compare the fingerprint with the one that the appliance shows itself, then write it to tls.fingerprint256.',
      );
  }
}

/** What an error says of reachability, certificate and login, in this order. */
function troubles(site: Site, presented: string | undefined, error: unknown): readonly Check[] {
  const { name } = site;
  const reach = about('site.reach', name);
  if (!(error instanceof ProxyError)) throw error;
  const message = oneLine(error.message);
  if (error.code === 'CONFIG_INVALID')
    return [about('site.login', name).fail(String(error.details['problem'] ?? message), 'See the secrets above.')];
  if (error.code === 'ZVM_UNREACHABLE') {
    if (Object.hasOwn(error.details, 'fingerprint256'))
      return [reach.pass(quote(site.url)), refusedCheck(site, presented, error)];
    const why = visible(String(error.details['reason'] ?? 'no answer'));
    const what = presented === undefined ? 'does not answer' : 'takes a connection and answers no request';
    return [reach.fail(`${quote(site.url)} ${what}: ${why}`, REACH_FIX)];
  }
  const isLogin = String(error.details['endpoint']).includes('/auth/');
  const checks = [reach.pass(quote(site.url)), trustedCheck(site, presented)];
  return [
    ...checks,
    isLogin
      ? about('site.login', name).fail(`${visible(site.account)}: ${message}`, LOGIN_FIX)
      : about('site.api', name).fail(message, API_FIX),
  ];
}

const REACH_FIX = 'Check name, port and firewall from this machine; the appliance listens on 443.';
const LOGIN_FIX = 'Check user, client and secret. After some wrong passwords in a row Keycloak locks an account.';
const API_FIX =
  'The login was taken and the API refuses: give the account a role, or attach a --transcript to a report.';

function refusedCheck({ name, tls }: Site, presented: string | undefined, error: ProxyError): Check {
  const check = about('site.certificate', name);
  const shown = `presented is SHA-256 ${presented ?? 'unknown'}`;
  const reason = visible(String(error.details['reason'] ?? ''));
  if (tls.kind === 'fingerprint')
    return check.fail(
      `${shown}; pinned is ${tls.fingerprint256}`,
      'If the appliance got a new certificate, compare the presented fingerprint with the one that it shows itself and write it to tls.fingerprint256. Else somebody stands between.',
    );
  return check.fail(
    `${reason}: ${shown}`,
    'Compare the fingerprint with the one that the appliance shows itself, then write it to tls.fingerprint256; or name its authority by tls.caFile.',
  );
}

async function clockCheck({ name, client }: Site, signal: AbortSignal): Promise<Check> {
  const check = about('site.clock', name);
  const before = Date.now();
  const theirs = (await client.serverTime(signal)).getTime();
  const skew = Math.round((theirs - (before + Date.now()) / 2) / 1000);
  const detail =
    skew === 0
      ? 'within a second of this machine'
      : `${Math.abs(skew)} s ${skew > 0 ? 'ahead of' : 'behind'} this machine`;
  if (Math.abs(skew) * 1000 <= SKEW_MS) return check.pass(detail);
  return check.warn(
    detail,
    'Set both by NTP. Recovery points go by the appliance’s clock alone; records go by this machine’s.',
  );
}
