import { applyEdits, modify } from 'jsonc-parser';

/** A site as `setup` writes it: the login's secret stands elsewhere. */
export interface NewSite {
  readonly name: string;
  readonly url: string;
  readonly auth: Readonly<Record<string, string>>;
  readonly tls?: Readonly<Record<string, string>> | undefined;
}

/** A config file that does not exist yet. */
export function newConfigText(schema: string): string {
  return `{
  "$schema": ${JSON.stringify(schema)},

  // The Zerto appliances. A secret never has to stand here: each secret key x has xEnv and xFile.
  "zvm": { "sites": [] },

  // The wrapped servers, as MCP clients write them; "family", "shell" and "target" say what the proxy cannot see.
  "mcpServers": {},

  // What calls call a host, to the name of its VM. Names of VMs resolve by themselves.
  // A single entry is also the VM of every call that names no host.
  "targets": {}
}
`;
}

/** The text with the site in it, in place of one with the same URL; comments and all other keys stay as they are. */
export function withSite(text: string, zvm: unknown, site: NewSite): string {
  const known = sitesOf(zvm);
  if (known === undefined) return edit(text, ['zvm'], { sites: [site] });
  const index = known.findIndex(({ url }) => sameUrl(url, site.url));
  return edit(text, ['zvm', 'sites', index < 0 ? known.length : index], site);
}

/** The name of a known site with this URL, else one that no known site has. */
export function siteName(zvm: unknown, url: string, wanted: string): string {
  const known = sitesOf(zvm) ?? [];
  const same = known.find((site) => sameUrl(site.url, url));
  if (same !== undefined) return same.name;
  const names = new Set(known.map(({ name }) => name.toLowerCase()));
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? wanted : `${wanted}-${count}`;
    if (!names.has(name.toLowerCase())) return name;
  }
}

/** The text with these entries added under `targets`. */
export function withTargets(text: string, targets: Readonly<Record<string, string>>): string {
  return Object.entries(targets).reduce((all, [host, vm]) => edit(all, ['targets', host], vm), text);
}

function edit(text: string, path: readonly (string | number)[], value: unknown): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol };
  return applyEdits(text, modify(text, [...path], value, { formattingOptions }));
}

function sitesOf(zvm: unknown): readonly { readonly name: string; readonly url: string }[] | undefined {
  if (typeof zvm !== 'object' || zvm === null || !('sites' in zvm) || !Array.isArray(zvm.sites)) return undefined;
  return zvm.sites.map((site: unknown) => {
    const { name, url } = (typeof site === 'object' && site !== null ? site : {}) as { name?: unknown; url?: unknown };
    return { name: String(name), url: String(url) };
  });
}

function sameUrl(left: string, right: string): boolean {
  return URL.canParse(left) && URL.canParse(right) && new URL(left).origin === new URL(right).origin;
}
