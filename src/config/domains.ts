import { isIP } from 'node:net';
import type { Config } from './config.js';

/** The domains whose hosts are the sites' VMs: those that the operator names, and those of the appliances' own names. */
export function ownDomains({ domains, zvm }: Pick<Config, 'domains' | 'zvm'>): readonly string[] {
  const sites = zvm?.kind === 'sites' ? zvm.sites : [];
  return [...new Set([...domains.map(bare), ...sites.flatMap(({ url }) => domainOf(new URL(url).hostname))])];
}

function domainOf(host: string): readonly string[] {
  const [, ...labels] = host.replace(/\.$/, '').split('.');
  return isIP(host.replace(/^\[|\]$/g, '')) !== 0 || labels.length === 0 ? [] : [labels.join('.')];
}

/** `.corp.example.` as `corp.example`. */
function bare(domain: string): string {
  return domain.replace(/^\.|\.$/g, '');
}
