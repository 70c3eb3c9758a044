/** What differs between appliances, releases and installations, or is not known for sure. All may be turned while it runs. */
export interface Knobs {
  /** Lifetime of an access token, in seconds of world time. */
  tokenSeconds: number;
  refreshSeconds: number;
  /** A token asked for without `scope=openid` is made, and rejected by /v1. */
  requireScope: boolean;
  /** What the logged-in user may not do, and with which status that is said. */
  denied: readonly ('checkpoint' | 'flr')[];
  deniedStatus: 401 | 403;
  casing: 'pascal' | 'camel';
  dates: 'iso' | 'msdate';
  /** Added to every time the appliance tells. */
  skewMs: number;
  /** How an insert into a VPG that takes no tags is refused: at once, or by a task that fails. */
  refusal: 'http' | 'task';
  refusalStatus: number;
  maxTagLength: { readonly length: number; readonly mode: 'truncate' | 'reject' } | undefined;
  /** Whether the filters vmName and name match a part of the name. */
  nameFilter: 'exact' | 'substring';
  flrEnabled: boolean;
  mountMs: number;
  unmountMs: number;
  maxFlrSessions: number;
  /** Shape of `GET /v1/flrs/{id}`. */
  flrSingle: 'object' | 'array';
  /** Items of a browse answer that names no pageSize; null for all. */
  defaultPageSize: number | null;
  downloadUrl: 'relative' | 'absolute';
  /** What a backslash in a path is: an error, a part of the name, or a separator like the slash. */
  backslash: 'refused' | 'name' | 'separator';
  /** A download link works once. */
  downloadOnce: boolean;
}

export const DEFAULT_KNOBS: Readonly<Knobs> = {
  tokenSeconds: 60,
  refreshSeconds: 1_800,
  requireScope: true,
  denied: [],
  deniedStatus: 403,
  casing: 'pascal',
  dates: 'iso',
  skewMs: 0,
  refusal: 'http',
  refusalStatus: 409,
  maxTagLength: undefined,
  nameFilter: 'substring',
  flrEnabled: true,
  mountMs: 1_000,
  unmountMs: 500,
  maxFlrSessions: 10,
  flrSingle: 'object',
  defaultPageSize: null,
  downloadUrl: 'relative',
  backslash: 'refused',
  downloadOnce: false,
};
