import { ProxyError } from '../domain/errors.js';
import { quote } from '../domain/text.js';
import { CertificateRefused, codeOf } from './tls.js';

/** Whether a request without an answer can have reached the appliance. */
type Sent = 'no' | 'maybe';

const NEVER_SENT =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|EPROTO|ERR_SSL_.*)$/;

/** No answer came. `details`: site, endpoint, reason, sent (`no` | `maybe`), and the fingerprint of a refused certificate. */
export function unreachable(site: string, endpoint: string, cause: unknown): ProxyError {
  if (cause instanceof CertificateRefused) {
    return new ProxyError(
      'ZVM_UNREACHABLE',
      `The ZVM of site ${quote(site)} is not trusted: its certificate was refused, nothing was sent to it. The operator has to check the certificate that it shows (the log of the proxy names it).`,
      {
        details: {
          site,
          endpoint,
          reason: cause.message,
          sent: 'no' satisfies Sent,
          fingerprint256: cause.fingerprint256,
        },
        cause,
      },
    );
  }
  const sent: Sent = NEVER_SENT.test(codeOf(cause)) ? 'no' : 'maybe';
  return new ProxyError(
    'ZVM_UNREACHABLE',
    `The ZVM of site ${quote(site)} did not answer ${endpoint} (${reasonOf(cause)}). Try again; if it stays so, the operator finds the cause in the log of the proxy.`,
    { details: { site, endpoint, reason: reasonOf(cause), sent }, cause },
  );
}

/** An answer came and is no help. `details`: site, endpoint, and status and message where the appliance refused. */
export function rejected(
  site: string,
  endpoint: string,
  what: string,
  details: { readonly status?: number; readonly message?: string | undefined } = {},
): ProxyError {
  return new ProxyError('ZVM_REJECTED', `The ZVM of site ${quote(site)} ${what} (${endpoint}).`, {
    details: { site, endpoint, ...details },
  });
}

/** The refusal of an answer with a status that is no success, with the appliance's own words in quotes. */
export function refusal(site: string, endpoint: string, status: number, message: string | undefined): ProxyError {
  const words = message === undefined ? '' : `: ${quote(message)}`;
  return rejected(site, endpoint, `refused with HTTP ${status}${hint(status)}${words}`, { status, message });
}

/** The HTTP status in a ZVM_REJECTED, where the appliance gave one. */
export function statusOf(error: unknown): number | undefined {
  if (!(error instanceof ProxyError) || error.code !== 'ZVM_REJECTED') return undefined;
  const status = error.details['status'];
  return typeof status === 'number' ? status : undefined;
}

function hint(status: number): string {
  if (status === 401) return ' (login expired or not permitted; the operator should check the account and its roles)';
  if (status === 403) return ' (the account lacks a role for this)';
  return '';
}

/** Short and free of addresses: undici's and Node's own messages name host and port. */
function reasonOf(cause: unknown): string {
  if (cause instanceof Error && cause.name === 'TimeoutError') return 'timeout';
  return codeOf(cause) || (cause instanceof Error ? cause.name : 'unknown error');
}
