import { isIP } from 'node:net';
import type { Machine, Meaning } from '../domain/target.js';
import { cannotTell, shown } from './cannot-tell.js';
import { byPrecedence, type Group, type Host, type Inventory } from './inventory.js';
import type { Settings } from './settings.js';
import { isOwnPath, type Way, wayOf } from './ssh-options.js';
import {
  ADDRESSES,
  COPY_ARGUMENTS,
  EXECUTABLES,
  OWN_ADDRESSES,
  PORTS,
  SSH_ARGUMENTS,
  type Value,
  type Variables,
} from './variables.js';
import type { VarsFiles } from './vars-files.js';

/** What a host's variables are made of: an inventory, the files of variables beside its sources and beside a playbook. */
export interface VariableSources {
  readonly inventory: Inventory;
  readonly files: VarsFiles;
  /** Directories of the inventory's sources, in their order. */
  readonly beside: readonly string[];
  readonly playbookDir?: string | undefined;
  /** The variables of groups are those of their hosts already: what lies beside a playbook could stand between the two. */
  readonly merged?: boolean | undefined;
}

/** The deciding variables of a host, by ansible's order of precedence. */
export async function variablesOf(host: Host, sources: VariableSources): Promise<Variables> {
  const { inventory, files, beside, playbookDir } = sources;
  const groups = byPrecedence(inventory.groupsOf(host)).filter(({ name }) => name !== 'all');
  const all = inventory.groups.get('all');
  const plays = playbookDir === undefined ? [] : [playbookDir];
  const ofGroups = async (bases: readonly string[], of: readonly Group[]): Promise<Variables[]> => {
    const found: Variables[] = [];
    for (const base of bases) for (const { name } of of) found.push(await files.of(base, 'group_vars', name));
    return found;
  };
  const own = async (bases: readonly string[]): Promise<Variables[]> =>
    Promise.all(bases.map((base) => files.of(base, 'host_vars', host.name)));
  const top = all === undefined ? [] : [all];
  const ofPlays = [await ofGroups(plays, top), await ofGroups(plays, groups)] as const;
  if (sources.merged === true && ofPlays.flat().some(({ size }) => size > 0))
    cannotTell('files of variables beside the playbook say where hosts are');
  const layers = [
    ...top.map(({ variables }) => variables),
    ...groups.map(({ variables }) => variables),
    ...(await ofGroups(beside, top)),
    ...ofPlays[0],
    ...(await ofGroups(beside, groups)),
    ...ofPlays[1],
    host.variables,
    ...(await own(beside)),
    ...(await own(plays)),
  ];
  return new Map(layers.flatMap((layer) => [...layer]));
}

const LOCAL: ReadonlySet<string> = new Set(['local', 'ansible.builtin.local', 'ansible.legacy.local']);
const SSH: ReadonlySet<string> = new Set(['smart', 'ssh', 'ansible.builtin.ssh', 'ansible.legacy.ssh']);
const OWN: Readonly<Record<string, string>> = {
  paramiko: 'ansible_paramiko_host',
  paramiko_ssh: 'ansible_paramiko_host',
  'ansible.builtin.paramiko_ssh': 'ansible_paramiko_host',
  winrm: 'ansible_winrm_host',
  'ansible.builtin.winrm': 'ansible_winrm_host',
  psrp: 'ansible_psrp_host',
  'ansible.builtin.psrp': 'ansible_psrp_host',
};

/** Where a host's connection goes, and whether ssh(1) makes it, which has a configuration of its own. */
export interface Connection {
  readonly machine: Machine;
  readonly ssh: boolean;
}

/** The machine that a host's connection goes to. `keyword`: the connection that the play or the command line asks for. */
export function machineOf(
  name: string,
  variables: Variables,
  settings: Pick<Settings, 'transport' | 'ssh'>,
  keyword: string | undefined,
): Connection {
  const label = machineName(name);
  const text = (key: string): string | undefined => known(label, key, variables.get(key));
  const connection = text('ansible_connection') ?? keyword ?? settings.transport ?? 'smart';
  if (LOCAL.has(connection)) return { machine: { name: label, local: true }, ssh: false };
  const own = OWN[connection];
  if (own === undefined && !SSH.has(connection))
    cannotTell(`the connection of host ${label} is not one to a machine by its address`);
  const address = addressOf(label, own, text);
  const { via, ports } =
    own === undefined || own === 'ansible_paramiko_host' ? byOptions(text, settings) : { via: [], ports: [] };
  const port = portOf(label, ports, text);
  const machine = {
    name: label,
    ...(address !== undefined && address !== label && { address }),
    ...(port !== undefined && { port }),
    ...(via.length > 0 && { via }),
  };
  return { machine, ssh: own === undefined };
}

/** What ssh(1) makes of a machine by its own configuration, which may give a name another address. */
export async function bySsh(machine: Machine, ssh: (host: string) => Promise<Meaning>): Promise<Machine> {
  const meaning = await ssh(machine.address ?? machine.name);
  if (meaning.kind === 'stop') return cannotTell(meaning.why);
  const [found] = meaning.kind === 'machines' ? meaning.machines : [];
  if (found === undefined) return machine;
  const { address, port, via } = found;
  return {
    ...(port !== undefined && { port }),
    ...(via !== undefined && { via }),
    ...machine,
    ...(address !== undefined && { address }),
  };
}

/** A name as it can be looked up and shown. */
function machineName(name: string): string {
  return isIP(name) !== 0 || shown(name, '') !== ''
    ? name
    : cannotTell('a host of the inventory has a name that is none of a machine');
}

function addressOf(
  label: string,
  own: string | undefined,
  text: (key: string) => string | undefined,
): string | undefined {
  const keys = own === undefined ? ADDRESSES : [...ADDRESSES, own];
  const given = new Set(keys.flatMap((key) => text(key) ?? []));
  // What another connection would read may count where the connection changes on its way.
  const others = OWN_ADDRESSES.filter((key) => key !== own).flatMap((key) => text(key) ?? []);
  if (given.size > 1 || others.length > 0) cannotTell(`several variables say where host ${label} is`);
  const [address] = given;
  if (address === undefined) return undefined;
  return isIP(address) !== 0 || /^[A-Za-z0-9][\w.-]{0,252}$/.test(address)
    ? address
    : cannotTell(`the address of host ${label} is none of a machine`);
}

/** The one port that everything names that has a say in it; which of several counts depends on the connection. */
function portOf(
  label: string,
  ofOptions: readonly number[],
  text: (key: string) => string | undefined,
): number | undefined {
  const given = PORTS.flatMap((key) => text(key) ?? []).filter((value) => /^[0-9]{1,5}$/.test(value));
  const [port, another] = new Set([...given.map(Number), ...ofOptions]);
  return another === undefined ? port : cannotTell(`several settings say to which port of host ${label} it connects`);
}

function byOptions(text: (key: string) => string | undefined, { ssh }: Pick<Settings, 'ssh'>): Way {
  for (const key of EXECUTABLES) {
    const program = text(key) ?? ssh[key];
    if (program !== undefined && !/^(?:\/usr(?:\/local)?\/bin\/)?(?:ssh|scp|sftp)$/.test(program))
      cannotTell('a program of its own connects to a host');
  }
  const proxy = text('ansible_paramiko_proxy_command') ?? '';
  if (proxy.trim() !== '') cannotTell('a command of its own connects to a host');
  const path = text('ansible_control_path') ?? ssh['ansible_control_path'];
  if (path !== undefined && !isOwnPath(path)) cannotTell('hosts share one connection');
  const ways = [...SSH_ARGUMENTS, ...COPY_ARGUMENTS].map((key) => wayOf(text(key) ?? ssh[key] ?? ''));
  return { via: ways.flatMap(({ via }) => via), ports: ways.flatMap(({ ports }) => ports) };
}

function known(host: string, key: string, value: Value | undefined): string | undefined {
  if (value === undefined) return undefined;
  return value.kind === 'text' ? value.text : cannotTell(`"${key}" of host ${host} cannot be told: ${value.why}`);
}
