import { cannotTell, shown } from './cannot-tell.js';
import { isDeciding, PRIORITY, type Value } from './variables.js';

/** A host of an inventory. `implicit`: no inventory holds it; it is the machine that runs ansible. */
export interface Host {
  readonly name: string;
  readonly implicit: boolean;
  readonly variables: Map<string, Value>;
}

export interface Group {
  readonly name: string;
  readonly hosts: Set<Host>;
  readonly children: Group[];
  readonly parents: Group[];
  readonly variables: Map<string, Value>;
}

/** Names that mean the machine that runs ansible, where no inventory has another of them. */
export const LOCALHOST: readonly string[] = ['127.0.0.1', 'localhost', '::1'];

/** Hosts and groups as ansible keeps them: in the order in which they were read, with `all` and `ungrouped`. */
export class Inventory {
  /** Whether the children of groups stand in the order in which ansible has them. */
  inOrder = true;
  readonly groups = new Map<string, Group>();
  readonly hosts = new Map<string, Host>();
  #localhost: Host | undefined;

  constructor() {
    this.addGroup('all');
    this.addGroup('ungrouped');
    this.addChild('all', 'ungrouped');
  }

  addGroup(name: string): Group {
    if (name === '') cannotTell('a group of the inventory has no name');
    const known = this.groups.get(name);
    if (known !== undefined) return known;
    const group: Group = { name, hosts: new Set(), children: [], parents: [], variables: new Map() };
    this.groups.set(name, group);
    return group;
  }

  addHost(name: string, group: string, port?: number): Host {
    if (name === '') cannotTell('a host of the inventory has no name');
    const host = this.hosts.get(name) ?? this.#newHost(name, port);
    this.#group(group).hosts.add(host);
    return host;
  }

  /** Makes a group a child of another. */
  addChild(parent: string, child: string): void {
    const above = this.#group(parent);
    const below = this.#group(child);
    if (above === below || ancestors(above).has(below)) cannotTell('a group of the inventory is a child of itself');
    if (above.children.includes(below)) return;
    above.children.push(below);
    if (!below.parents.includes(above)) below.parents.push(above);
  }

  setVariable(entity: Host | Group, name: string, value: Value): void {
    if (isDeciding(name)) entity.variables.set(name, value);
  }

  /** What ansible puts right once everything is read. */
  reconcile(): void {
    for (const group of this.groups.values())
      if (group.name !== 'all' && group.parents.length === 0) this.addChild('all', group.name);
    const ungrouped = this.#group('ungrouped');
    if (ungrouped.children.length > 0 || ungrouped.parents.length !== 1)
      cannotTell('the group "ungrouped" stands under another, or over one');
    const others = [...this.groups.values()].filter((group) => group.name !== 'all' && group !== ungrouped);
    const placed = new Set(others.flatMap(({ hosts }) => [...hosts]));
    for (const host of this.hosts.values()) {
      if (placed.has(host)) ungrouped.hosts.delete(host);
      else ungrouped.hosts.add(host);
    }
    const twin = [...this.groups.keys()].find((name) => this.hosts.has(name));
    if (twin !== undefined)
      cannotTell(`a group and a host of the inventory have the name ${shown(twin, 'of another')}`);
  }

  /** The host that a name of this machine means: one of the inventory, or none that it knows. */
  localhost(name: string): Host {
    this.#localhost ??= thisMachine(name);
    return this.#localhost;
  }

  /** The groups that a host is in, with all above them. */
  groupsOf(host: Host): ReadonlySet<Group> {
    const own = [...this.groups.values()].filter((group) => group.hosts.has(host));
    return new Set(own.flatMap((group) => [group, ...ancestors(group)]));
  }

  #newHost(name: string, port: number | undefined): Host {
    const host: Host = { name, implicit: false, variables: new Map() };
    if (port !== undefined && port !== 0) host.variables.set('ansible_port', { kind: 'text', text: String(port) });
    this.hosts.set(name, host);
    if (LOCALHOST.includes(name)) this.#localhost ??= host;
    return host;
  }

  #group(name: string): Group {
    return this.groups.get(name) ?? cannotTell('the inventory names a group that it does not have');
  }
}

/** The machine that runs ansible, where no inventory says anything of it. */
export function thisMachine(name: string): Host {
  return { name, implicit: true, variables: new Map([['ansible_connection', { kind: 'text', text: 'local' }]]) };
}

function ancestors(group: Group): ReadonlySet<Group> {
  const found = new Set<Group>();
  const next = [...group.parents];
  for (const parent of next) {
    if (found.has(parent)) continue;
    found.add(parent);
    next.push(...parent.parents);
  }
  return found;
}

/**
 * The hosts of a group and of all below it, in ansible's order. `ordered`: false where ansible's own order is by chance, since it goes
 * through a set of groups.
 */
export function hostsOf(group: Group, inOrder = true): { readonly hosts: readonly Host[]; readonly ordered: boolean } {
  const order = [group, ...group.children];
  const seen = new Set<Group>();
  let level: ReadonlySet<Group> = new Set(order);
  let ordered = inOrder || group.children.length === 0;
  while (level.size > 0) {
    for (const each of level) seen.add(each);
    const parents = [...level].filter((each) => each.children.some((child) => !seen.has(child)));
    ordered &&= parents.length < 2;
    const below = parents.flatMap((each) => each.children.filter((child) => !seen.has(child)));
    order.push(...below);
    level = new Set(below);
  }
  return { hosts: [...new Set(order.flatMap((each) => [...each.hosts]))], ordered };
}

/** Groups in the order in which their variables are laid over each other, the last winning: by depth, priority, name. */
export function byPrecedence(groups: Iterable<Group>): readonly Group[] {
  const depth = depths();
  return [...groups].sort(
    (left, right) =>
      depth(left) - depth(right) || priority(left) - priority(right) || (left.name < right.name ? -1 : 1),
  );
}

function depths(): (group: Group) => number {
  const known = new Map<Group, number>();
  const depth = (group: Group): number => {
    const found = known.get(group) ?? Math.max(-1, ...group.parents.map(depth)) + 1;
    known.set(group, found);
    return found;
  };
  return depth;
}

function priority({ variables }: Group): number {
  const value = variables.get(PRIORITY);
  if (value === undefined) return 1;
  if (value.kind === 'unclear' || !/^-?[0-9]{1,9}$/.test(value.text))
    return cannotTell('the priority of a group is no plain number');
  return Number(value.text);
}
