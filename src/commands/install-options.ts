import { parseArgs } from 'node:util';
import type { ClientName } from '../clients/places.js';
import { CLIENTS, TITLES } from '../clients/places.js';
import { quote, visible } from '../domain/text.js';

/** What `install`, `uninstall` and `status` are asked for. */
export interface InstallOptions {
  readonly clients: readonly ClientName[];
  readonly only: readonly string[];
  readonly dryRun: boolean;
  readonly yes: boolean;
  readonly json: boolean;
}

/** The options, or why they cannot be used. */
export function readInstallOptions(args: readonly string[]): InstallOptions | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        client: { type: 'string', multiple: true, default: [] },
        only: { type: 'string', multiple: true, default: [] },
        'dry-run': { type: 'boolean', default: false },
        yes: { type: 'boolean', short: 'y', default: false },
        json: { type: 'boolean', default: false },
      },
    });
    const named = values.client.flatMap((each) => each.split(',')).map((each) => ({ each, client: clientOf(each) }));
    const unknown = named.find(({ client }) => client === undefined);
    if (unknown !== undefined) return `there is no client ${quote(unknown.each, 80)}; known: ${CLIENTS.join(', ')}`;
    return {
      clients: named.flatMap(({ client }) => (client === undefined ? [] : [client])),
      only: values.only,
      dryRun: values['dry-run'],
      yes: values.yes,
      json: values.json,
    };
  } catch (error) {
    return error instanceof Error ? visible(error.message) : 'bad arguments';
  }
}

/** By the name of the option or the one that people use, in any spelling of spaces and letter case. */
function clientOf(name: string): ClientName | undefined {
  const fold = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  return CLIENTS.find((client) => [client, TITLES[client], `${client}cli`].some((each) => fold(each) === fold(name)));
}
