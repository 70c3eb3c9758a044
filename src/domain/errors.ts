/** Grouped by the one question that matters: did the command run? docs/errors.md lists the same codes. */
export const NOT_SENT = [
  'CONFIG_INVALID',
  'INVALID_ARGUMENTS',
  'AUDIT_UNAVAILABLE',
  'TARGET_UNRESOLVED',
  'TARGET_UNPROTECTED',
  'CHECKPOINT_NOT_PINNED',
  'ZVM_UNREACHABLE',
  'ZVM_REJECTED',
  'APPROVAL_DENIED',
  'APPROVAL_PENDING',
  'CALL_CANCELLED',
  'DOWNSTREAM_UNAVAILABLE',
  'PROXY_FAULT',
] as const;
export const MAY_HAVE_RUN = ['OUTCOME_UNKNOWN'] as const;
export const ERROR_CODES = [...NOT_SENT, ...MAY_HAVE_RUN] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/**
 * `message` is for the agent: what happened, and what to do. It never holds config, fingerprints or ways round the guard;
 * those go into `details`, which reach stderr and the audit log alone.
 */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: { details?: Record<string, unknown>; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.details = options.details ?? {};
  }
}
