/** How long things take where a VPG's VMs run; see the profile table in src/zerto/profiles.ts. */
export const PROFILES = ['vsphere', 'azure', 'aws'] as const;
export type Profile = (typeof PROFILES)[number];

/** `site` is the config's name of the ZVM that was asked; `recoverySite` the recovery site's identifier on the wire. */
export interface Vpg {
  readonly name: string;
  readonly vpgIdentifier: string;
  readonly site: string;
  readonly profile: Profile;
  readonly recoverySite?: string | undefined;
  /** A platform that no checkpoint can be pinned on, in the appliance's word for it. */
  readonly unsupported?: string | undefined;
  /** Why the VPG took no checkpoint when it was listed, where that was told. */
  readonly blocked?: string | undefined;
}

/** A VM that Zerto knows; `vpgs` is empty where nothing protects it. */
export interface Vm {
  readonly name: string;
  readonly vmIdentifier: string;
  readonly site: string;
  readonly addresses: readonly string[];
  readonly vpgs: readonly Vpg[];
  /** The organisation (ZORG) it belongs to, where there is one. */
  readonly organization?: string | undefined;
  /** Identifiers that it had before it was failed over or moved, as far as that was seen. */
  readonly formerly?: readonly string[] | undefined;
}

/** Where the VM of a call stands that names no host: the `target` of its server, or the config's `targets`, which all lead to one VM. */
export const UNNAMED = { target: 'the "target" of its server', targets: 'the only VM of "targets"' } as const;
export type Unnamed = keyof typeof UNNAMED;

/** A host that resolved to exactly one protected VM. `unnamed`: the call names no host, and the config named this one. */
export interface Target {
  readonly host: string;
  readonly unnamed?: Unnamed | undefined;
  readonly vm: Vm & { readonly vpgs: readonly [Vpg, ...Vpg[]] };
}

/** A host that did not; `found` says what was, quoted by whoever shows it. `exempt` is an operator's rule and carries its reason. */
export interface TargetProblem {
  readonly host: string;
  readonly unnamed?: Unnamed | undefined;
  readonly kind: 'unresolved' | 'ambiguous' | 'unprotected' | 'exempt';
  readonly why: string;
  readonly found: readonly string[];
  /** The name of the one VM that reports the address, where nothing else says which VM it is. */
  readonly reportedBy?: string | undefined;
}

/** One name of a call, and what it led to. A name that stands for several machines stands here once for each, under the machine's own name. */
export type Resolved =
  | { readonly kind: 'target'; readonly target: Target }
  | { readonly kind: 'problem'; readonly problem: TargetProblem };

/** `targets` has each VM once, `problems` each name once; `hosts` every name, also one that leads to the VM of another. */
export interface Aim {
  readonly targets: readonly Target[];
  readonly problems: readonly TargetProblem[];
  readonly hosts?: readonly Resolved[] | undefined;
  /** Why nothing could be looked up at all; then there are neither targets nor problems. */
  readonly failure?: { readonly error: unknown } | undefined;
}

/** The names that led to exactly one protected VM. */
export function resolvedNames({ hosts = [] }: Aim): ReadonlySet<string> {
  return new Set(hosts.flatMap((host) => (host.kind === 'target' ? [host.target.host] : [])));
}

export const NO_AIM: Aim = { targets: [], problems: [] };

/**
 * A machine that a server's own configuration knows. `address` is where its connection really goes (a name or an IP address; absent: its own
 * name), `via` the hosts that the connection passes first, `local` the machine that the server itself runs on.
 */
export interface Machine {
  readonly name: string;
  readonly address?: string | undefined;
  readonly port?: number | undefined;
  readonly via?: readonly string[] | undefined;
  readonly local?: true | undefined;
}

/**
 * What a name of a call stands for by a server's own configuration. `as_written`: the configuration says nothing of it. `stop`: it cannot be
 * told without running something, or the server itself would refuse; `found` says what it could be, or with `unknown` which names there are.
 */
export type Meaning =
  | { readonly kind: 'as_written' }
  | { readonly kind: 'machines'; readonly machines: readonly Machine[] }
  | {
      readonly kind: 'stop';
      readonly why: string;
      readonly found: readonly string[];
      readonly unknown?: true | undefined;
    };
