import type { Readable } from 'node:stream';
import type { FaultBook } from '../faults.js';
import type { Knobs } from '../knobs.js';
import type { SimVm, SimVpg, Site } from '../state.js';
import type { World } from '../world.js';
import { parseDate } from './dates.js';

/** One server's parts, the same for each of its requests. */
export interface Appliance {
  readonly world: World;
  readonly site: Site;
  readonly knobs: Knobs;
  readonly faults: FaultBook;
  readonly downloads: Map<string, Download>;
  /** What will go wrong with a link. */
  readonly troubles: Map<string, DownloadTrouble>;
  /** `https://host:port`, once it listens. */
  base: string;
}

/** A link that `download` gave out. */
export interface Download {
  readonly name: string;
  readonly size: number;
  readonly stream: () => Readable;
  readonly session: string;
}

interface DownloadTrouble {
  readonly kind: 'cut' | 'short';
  readonly bytes: number;
}

/** A request of a logged-in user. Parameters of the path are decoded; names in query and body are found in any case. */
export interface Exchange extends Appliance {
  readonly user: string;
  readonly now: number;
  readonly params: readonly string[];
  readonly query: (name: string) => string | undefined;
  readonly body: unknown;
}

export type Reply =
  | { readonly kind: 'json'; readonly status: number; readonly value: unknown }
  | { readonly kind: 'empty'; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly kind: 'file'; readonly download: Download; readonly trouble?: DownloadTrouble }
  | { readonly kind: 'text'; readonly text: string; readonly contentType: string; readonly status?: number }
  | { readonly kind: 'drop' };

export type Handler = (exchange: Exchange) => Reply;

export function ok(value: unknown): Reply {
  return { kind: 'json', status: 200, value };
}

/** The appliance's way to say no. */
export function no(status: number, message: string): Reply {
  return { kind: 'json', status, value: { Message: message } };
}

/** The answer where the user's role is too small. */
export function denied({ knobs }: Appliance): Reply {
  if (knobs.deniedStatus === 401) return { kind: 'empty', status: 401, headers: { 'www-authenticate': 'Bearer' } };
  return no(403, 'The user is not authorized to perform this operation.');
}

/** Thrown by look-ups; the server answers it as `no`. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The member of a request body, its name in any case. */
export function field(body: unknown, name: string): unknown {
  if (typeof body !== 'object' || body === null) return undefined;
  const wanted = name.toLowerCase();
  return Object.entries(body).find(([key]) => key.toLowerCase() === wanted)?.[1];
}

/** The same where it is a string that is not empty. */
export function textField(body: unknown, name: string): string | undefined {
  const value = field(body, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Whether a filter of the query lets the values through: one that was not given does; case does not matter. */
export function matches(
  exchange: Exchange,
  name: string,
  ...values: readonly (string | number | undefined)[]
): boolean {
  const wanted = exchange.query(name)?.toLowerCase();
  return wanted === undefined || wanted === '' || values.some((value) => String(value).toLowerCase() === wanted);
}

/** A date of the query in world time. Throws a refusal where it is no date. */
export function dateQuery(exchange: Exchange, name: string): number | undefined {
  const text = exchange.query(name);
  if (text === undefined || text === '') return undefined;
  const date = parseDate(text, exchange.site.utcOffsetInMinutes);
  if (date === undefined) throw new Refusal(400, `The value '${name}' is not a valid date.`);
  return date - exchange.knobs.skewMs;
}

/** The VPGs that this site has a part in, at either end. */
export function localVpgs({ world, site }: Appliance): SimVpg[] {
  return world.vpgs.filter((vpg) => vpg.protectedSite === site || vpg.recoverySite === site);
}

export function vpgOf(exchange: Exchange, identifier: string): SimVpg {
  const found = localVpgs(exchange).find((vpg) => vpg.vpgIdentifier === identifier.toLowerCase());
  if (found === undefined) throw new Refusal(404, `VPG with identifier ${identifier} was not found.`);
  return found;
}

export interface Row {
  readonly vm: SimVm;
  readonly vpg: SimVpg;
}

/** One row for each VM in each VPG. */
export function rows(appliance: Appliance): Row[] {
  return localVpgs(appliance).flatMap((vpg) => vpg.vms.map((vm) => ({ vm, vpg })));
}

/** The row of a VM. A VM in several VPGs has one only where the VPG is named. */
export function rowOf(exchange: Exchange, vmIdentifier: string, vpgIdentifier: string | undefined): Row {
  const found = rows(exchange).filter(({ vm }) => vm.vmIdentifier.toLowerCase() === vmIdentifier.toLowerCase());
  if (found.length === 0) throw new Refusal(404, `VM with identifier ${vmIdentifier} was not found.`);
  const named = found.filter(
    ({ vpg }) => vpgIdentifier === undefined || vpg.vpgIdentifier === vpgIdentifier.toLowerCase(),
  );
  const [row] = named;
  if (row === undefined) throw new Refusal(404, `VM ${vmIdentifier} is not protected in VPG ${vpgIdentifier}.`);
  if (named.length > 1)
    throw new Refusal(400, `VM ${vmIdentifier} is protected in more than one VPG. Specify the VPG identifier.`);
  return row;
}
