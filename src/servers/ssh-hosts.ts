import type { HostName } from '../domain/call.js';
import type { Meaning } from '../domain/target.js';
import type { ServerReader } from './reader.js';
import { placesOf, sshMeaning } from './ssh-config/index.js';
import { namedHosts } from './ssh-config/named-hosts.js';
import { type Facts, isPublished } from './start.js';

const AIONDA = { calls: 'mcp-ssh', package: '@aiondadotcom/mcp-ssh' };

/** npm `@aiondadotcom/mcp-ssh`: hands its hosts to ssh(1), which reads its configuration for each connection. */
export const SSH_AIONDA: ServerReader = {
  claims: (server, start) => isPublished(server, start, AIONDA),
  open: () => ({
    note: async () => undefined,
    means: (hosts, facts) => Promise.all(hosts.map((host) => bySsh(host, facts))),
  }),
  list: ({ platform, home, start, readText }) => namedHosts(placesOf(platform, home, start.env, readText)),
};

/** A host that ssh(1) is given on the machine that the server runs on. */
export function bySsh({ value }: HostName, { platform, home, start, readText }: Facts): Promise<Meaning> {
  return sshMeaning(value, placesOf(platform, home, start.env, readText));
}
