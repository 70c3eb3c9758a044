import type { Config } from '../config/config.js';
import type { Coverage, CoveredTarget, CoveredVpg } from '../coverage.js';
import { quote, visible } from '../domain/text.js';
import type { Downstreams } from '../downstream.js';
import type { Context } from './context.js';
import { readArguments } from './options.js';
import { needsFile, startsOf, withApp } from './wrap.js';

/** How the command is called. */
export const USAGE = `usage: zerto-rewind-proxy [--config FILE] coverage [--json] [--probe]

Every host that the wrapped servers are known to reach (the config's "targets" and "target", the servers' own profiles and ssh
configuration, ansible's inventory), its VM and VPGs, and why one cannot be rewound. No server is started, and nothing is changed (but for the mounts of --probe).

  --probe   mounts the newest checkpoint of each VM, lists its volumes and unmounts, one after the other: proof that files come back

Exit codes: 0 all can be rewound, 1 at least one cannot, 2 usage or config error. A host that the config exempts counts as neither.
`;

/** Its options. */
export const OPTIONS = {
  json: { type: 'boolean', default: false },
  probe: { type: 'boolean', default: false },
} as const;

/** `coverage`: what of all that agents can reach would come back. */
export async function coverageCommand(args: readonly string[], context: Context): Promise<number> {
  const { io, signal } = context;
  const asked = read(args);
  if (typeof asked === 'string') {
    io.stderr.write(`coverage: ${asked}\n${USAGE}`);
    return 2;
  }
  const config = await context.config();
  needsFile(context, config);
  const found = await coverageOf(context, config, signal, asked.probe);
  io.stdout.write(asked.json ? `${JSON.stringify(found, undefined, 2)}\n` : textOf(found));
  return found.ok ? 0 : 1;
}

/** Looks at every host in reach, as the config says now. */
export async function coverageOf(
  context: Context,
  config: Config,
  signal: AbortSignal,
  isTried = false,
): Promise<Coverage> {
  const names = Object.values(config.mcpServers).map(({ name }) => name);
  const starts = (await Promise.all(names.map((name) => startOf(context, config, name)))).flat();
  return withApp(context, config, (app) => app.coverage(starts, signal, isTried));
}

/** An entry that only describes a server of the command line has no command to go by, but its own `target`. */
async function startOf(context: Context, config: Config, name: string): Promise<readonly Downstreams[number][]> {
  const entry = config.mcpServers[name];
  if (entry?.start.kind === 'settings') {
    const { family, shell, target } = entry;
    return [{ kind: 'absent', server: { name, family, shell, target }, env: {}, why: 'a command line starts it' }];
  }
  return startsOf(context, config, name);
}

/** The same for people. */
export function textOf({ ok, targets, open }: Coverage): string {
  const lines = targets.flatMap(targetLines);
  const notes = open.map(
    (name) => `Server ${quote(name, 80)} takes whatever host a call names: it is looked up when the call comes.`,
  );
  const bad = targets.filter(({ rewindable, exempt }) => !rewindable && exempt === undefined).length;
  const last =
    targets.length === 0
      ? 'No host is known by name: neither "targets" nor a server of the config names one.'
      : ok
        ? `All ${targets.length} can be rewound${targets.some(({ exempt }) => exempt !== undefined) ? ', but for the exempt' : ''}.`
        : `${bad} of ${targets.length} cannot be rewound.`;
  return `${[...lines, ...notes, last].join('\n')}\n`;
}

function targetLines({
  host,
  server,
  namedBy,
  vm,
  vpgs,
  rewindable,
  exempt,
  probe,
  why,
}: CoveredTarget): readonly string[] {
  const mark = rewindable ? 'ok ' : exempt === undefined ? 'NO ' : '-  ';
  const named =
    namedBy === 'targets'
      ? '"targets"'
      : `${namedBy === 'inventory' ? 'inventory of ' : ''}server ${quote(server ?? '', 80)}`;
  const led = vm === undefined ? '' : ` → VM ${quote(vm, 80)}`;
  return [
    `${mark} ${quote(host, 80)} (${named})${led}`,
    ...vpgs.map((vpg) => `      ${vpgLine(vpg)}`),
    ...(probe?.ok === true ? [`      probe: mounted and listed in ${probe.ms} ms`] : []),
    ...why.map((each) => `      ${exempt === undefined ? 'why: ' : ''}${visible(each)}`),
  ];
}

function vpgLine({ name, site, journalMinutes, newestAgeSeconds, recoversFiles }: CoveredVpg): string {
  const journal =
    journalMinutes === undefined
      ? 'no checkpoint now'
      : `journal of ${span(journalMinutes)}, newest checkpoint ${newestAgeSeconds} s old`;
  return `VPG ${quote(name, 80)} at ${quote(site, 80)}: ${journal}, ${recoversFiles ? 'files can be recovered' : 'no file recovery'}`;
}

function span(minutes: number): string {
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 72 ? `${hours} h` : `${Math.round(hours / 24)} d`;
}

function read(args: readonly string[]): { readonly json: boolean; readonly probe: boolean } | string {
  const given = readArguments(args, OPTIONS);
  return typeof given === 'string' ? given : given.values;
}
