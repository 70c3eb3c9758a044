import { ProxyError } from '../domain/errors.js';
import type { Inventory, Listing, Logger } from '../domain/ports.js';
import type { Vm } from '../domain/target.js';
import type { ZvmClient } from './client.js';
import { type Clock, systemClock } from './clock.js';
import { mergeViews, type SiteView } from './merge-views.js';
import { Moves } from './moves.js';

export interface ZvmInventoryOptions {
  readonly clock?: Clock | undefined;
  readonly log?: Pick<Logger, 'info' | 'warn'> | undefined;
}

type Told = { readonly client: ZvmClient } & (
  | { readonly kind: 'view'; readonly view: SiteView }
  | { readonly kind: 'silent'; readonly error: unknown }
);

/** How long a site that did not answer before is waited for once all others have answered. */
const GRACE_MS = 1_500;

/** The VMs of several ZVMs. */
export class ZvmInventory implements Inventory {
  readonly #clients: readonly ZvmClient[];
  readonly #clock: Clock;
  readonly #log: ZvmInventoryOptions['log'];
  readonly #moves = new Moves();
  /** The newest view of each site. */
  readonly #views = new Map<string, SiteView>();
  /** Sites that did not answer when they were asked last. */
  readonly #silent = new Map<string, unknown>();

  constructor(clients: readonly ZvmClient[], options: ZvmInventoryOptions = {}) {
    this.#clients = clients;
    this.#clock = options.clock ?? systemClock;
    this.#log = options.log;
  }

  /** Rejects where one of them does not answer: half a picture could make an ambiguous name look unique. */
  async vms(signal: AbortSignal): Promise<readonly Vm[]> {
    const { vms, silent } = await this.listing(signal);
    const [first] = silent;
    if (first !== undefined) throw first.error;
    return vms;
  }

  async listing(signal: AbortSignal): Promise<Listing> {
    const told = await this.#ask(signal);
    const views = told.flatMap((one) => (one.kind === 'view' ? [one.view] : []));
    const silent = told.flatMap((one) => (one.kind === 'silent' ? [{ site: one.client.site, error: one.error }] : []));
    if (views.length === 0 && silent[0] !== undefined) throw silent[0].error;
    if (silent.length === 0) return { vms: this.#moves.follow(mergeViews(views)), unsure: [], silent };
    const remembered = silent.flatMap(({ site }) => this.#views.get(site) ?? []);
    const { sure, unsure } = divide(views, remembered, remembered.length === silent.length);
    return { vms: this.#moves.known(sure), unsure: this.#moves.known(unsure), silent };
  }

  async #ask(signal: AbortSignal): Promise<readonly Told[]> {
    const asked = this.#clients.map((client) => this.#askOne(client, signal));
    const reliable = asked.filter((_, index) => !this.#silent.has(this.#clients[index]?.site ?? ''));
    if (reliable.length === 0 || reliable.length === asked.length) return Promise.all(asked);
    const over = Promise.all(reliable).then(() => this.#clock.sleep(GRACE_MS, signal));
    over.catch(() => undefined);
    return Promise.all(
      asked.map((one, index) => {
        const client = this.#clients[index];
        const error = client && this.#silent.get(client.site);
        if (client === undefined || error === undefined) return one;
        return Promise.race([one, over.then((): Told => ({ kind: 'silent', client, error }))]);
      }),
    );
  }

  async #askOne(client: ZvmClient, signal: AbortSignal): Promise<Told> {
    try {
      const view = await viewOf(client, signal);
      this.#views.set(client.site, view);
      if (this.#silent.delete(client.site)) this.#log?.info({ site: client.site }, 'the ZVM answers again');
      return { kind: 'view', client, view };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ProxyError)) throw error;
      if (!this.#silent.has(client.site))
        this.#log?.warn({ site: client.site, error }, 'the ZVM cannot be asked for its VMs');
      this.#silent.set(client.site, error);
      return { kind: 'silent', client, error };
    }
  }
}

async function viewOf(client: ZvmClient, signal: AbortSignal): Promise<SiteView> {
  const [local, rows, unprotected] = await Promise.all([
    client.localSite(signal),
    client.vms(signal),
    client.unprotectedVms(signal),
  ]);
  const siteTypes = new Map([[local.siteIdentifier, local.siteType ?? '']]);
  if (rows.some((row) => row.protectedSite !== local.siteIdentifier)) {
    for (const peer of await client.peerSites(signal)) siteTypes.set(peer.siteIdentifier, peer.siteType ?? '');
  }
  return { site: client.site, local, rows, unprotected, siteTypes };
}

/**
 * What is sure while some sites are silent: VMs at the sites that answered, which know all their VPGs. Where the identifier of a
 * silent site is not known (`allRemembered`), every VM that is told from elsewhere may be there.
 */
function divide(views: readonly SiteView[], remembered: readonly SiteView[], allRemembered: boolean) {
  const answered = new Set(views.map(({ local }) => local.siteIdentifier));
  const silent = new Set(remembered.map(({ local }) => local.siteIdentifier));
  const isSure = (site: string | undefined): boolean =>
    site !== undefined && (answered.has(site) || (allRemembered && !silent.has(site)));
  const doubtful = new Set(
    views.flatMap(({ rows, unprotected }) => [
      ...rows.filter((row) => !isSure(row.protectedSite)).map((row) => row.vmIdentifier),
      ...unprotected.filter((vm) => !isSure(vm.siteIdentifier)).map((vm) => vm.vmIdentifier),
    ]),
  );
  const sure = mergeViews(views).filter((vm) => !doubtful.has(vm.vmIdentifier));
  const known = new Set(sure.map((vm) => vm.vmIdentifier));
  const unsure = mergeViews([...views, ...remembered]).filter((vm) => !known.has(vm.vmIdentifier));
  return { sure, unsure };
}
