import type { Problem } from '../clients/document.js';
import type { GuardedFamily } from '../clients/family.js';
import { type ClientName, TITLES } from '../clients/places.js';
import type { FoundFile, FoundServer, Setting } from '../clients/survey.js';
import { quote, visible } from '../domain/text.js';

/** A server as the commands report it. `why`: why it is not behind the proxy, or what is wrong there. Nothing of its environment and arguments. */
export interface ServerReport {
  readonly name: string;
  readonly project?: string | undefined;
  readonly family?: GuardedFamily | undefined;
  readonly wrapped: boolean;
  readonly why?: string | undefined;
}

/** A client's config file. */
export interface FileReport {
  readonly file: string;
  readonly clients: readonly { readonly client: ClientName; readonly scope: 'user' | 'project' }[];
  readonly problem?: Problem | undefined;
  readonly servers: readonly ServerReport[];
}

/** What was found out, for machines. */
export function fileReport({ places, problem, servers }: FoundFile, setting: Setting): FileReport {
  return {
    file: places[0].file,
    clients: places.map(({ client, scope }) => ({ client, scope })),
    problem,
    servers: servers.map((server) => serverReport(server, setting)),
  };
}

function serverReport(server: FoundServer, setting: Setting): ServerReport {
  const { entry, recognised, wrapping } = server;
  return {
    name: entry.name,
    project: entry.project,
    family: recognised?.family,
    wrapped: wrapping.kind === 'wrapped',
    why: whyNot(server, setting),
  };
}

function whyNot({ wrapping, recognised, whyNot: why }: FoundServer, { exists }: Setting): string | undefined {
  if (wrapping.kind === 'wrapped') {
    const gone = wrapping.paths.find((path) => !exists(path));
    return gone === undefined ? undefined : `${quote(gone)} is not there any more; uninstall and install mend it`;
  }
  if (why !== undefined) return why;
  if (recognised !== undefined) return 'install wraps it';
  return 'neither name, package nor tools say ssh, ansible or winrm; install --only with its name wraps it';
}

/** `Cursor, Windsurf: /home/…`. */
export function headOf({ clients, file }: FileReport): string {
  const names = [...new Set(clients.map(({ client }) => TITLES[client]))].join(', ');
  return `${names}: ${visible(file)}`;
}

/** `the file is not valid TOML (line 3, column 5)`. */
export function problemText({ message, line, column }: Problem): string {
  return line === undefined ? message : `${message} (line ${line}, column ${column ?? 1})`;
}

/** `"ssh" (ssh, project "/srv/app")`. */
export function nameOf({ name, family, project }: ServerReport): string {
  const known = [family, project === undefined ? undefined : `project ${quote(project)}`].filter(
    (each) => each !== undefined,
  );
  return `${quote(name, 80)}${known.length === 0 ? '' : ` (${known.join(', ')})`}`;
}
