import type { ClientName } from '../clients/places.js';
import { CLIENTS, TITLES } from '../clients/places.js';
import { quote } from '../domain/text.js';
import { readArguments } from './options.js';

/** What `install`, `uninstall` and `status` are asked for. */
export interface InstallOptions {
  readonly clients: readonly ClientName[];
  readonly only: readonly string[];
  readonly dryRun: boolean;
  readonly yes: boolean;
  readonly json: boolean;
}

/** The options of `install` and `uninstall`. */
export const OPTIONS = {
  client: { type: 'string', multiple: true, default: [] as string[], value: CLIENTS },
  only: { type: 'string', multiple: true, default: [] as string[], value: ['ssh', 'ansible', 'winrm'] },
  'dry-run': { type: 'boolean', default: false },
  yes: { type: 'boolean', short: 'y', default: false },
  json: { type: 'boolean', default: false },
} as const;

/** The options, or why they cannot be used. */
export function readInstallOptions(args: readonly string[]): InstallOptions | string {
  const given = readArguments(args, OPTIONS);
  if (typeof given === 'string') return given;
  const { values } = given;
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
}

/** By the name of the option or the one that people use, in any spelling of spaces and letter case. */
function clientOf(name: string): ClientName | undefined {
  const fold = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  return CLIENTS.find((client) => [client, TITLES[client], `${client}cli`].some((each) => fold(each) === fold(name)));
}
