import type { Family, Shell } from '../domain/call.js';
import type { ExportTargets } from '../domain/export-targets.js';
import type { ConfigFile } from './schema.js';
import type { Secret } from './secret.js';

/** How to log in to a site. */
export type ZvmAuth =
  | { readonly grant: 'password'; readonly clientId: string; readonly username: string; readonly password: Secret }
  | { readonly grant: 'client_credentials'; readonly clientId: string; readonly clientSecret: Secret };

/** What a site's certificate must be; `caFile` is an absolute path, the fingerprint in upper case with colons. */
export type ZvmTls =
  | { readonly kind: 'verify' }
  | { readonly kind: 'fingerprint'; readonly fingerprint256: string }
  | { readonly kind: 'caFile'; readonly caFile: string }
  | { readonly kind: 'off' };

export interface ZvmSite {
  readonly name: string;
  readonly url: string;
  readonly auth: ZvmAuth;
  readonly tls: ZvmTls;
}

export type ZvmConfig =
  | { readonly kind: 'simulator' }
  | { readonly kind: 'sites'; readonly sites: readonly [ZvmSite, ...ZvmSite[]] };

/** How a wrapped server is reached; `settings` is neither: it describes a server that stands on the command line. Header values are fetched when needed. */
export type ServerStart =
  | {
      readonly kind: 'command';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly cwd?: string | undefined;
    }
  | {
      readonly kind: 'url';
      readonly url: string;
      readonly transport: 'http' | 'sse';
      readonly headers: () => Promise<Readonly<Record<string, string>>>;
    }
  | { readonly kind: 'settings'; readonly headers: () => Promise<Readonly<Record<string, string>>> };

export interface ServerEntry {
  readonly name: string;
  readonly start: ServerStart;
  readonly family?: Family | undefined;
  readonly shell?: Shell | undefined;
  readonly target?: string | undefined;
}

/** A system config in force: what a user may add beside it. */
export interface SystemRules {
  readonly path: string;
  /** Keys of the user's file that do not hold, by their dotted paths; and that file. */
  readonly ignored: readonly string[];
  readonly userFile?: string | undefined;
  /** Whether any server may stand on the command line; else only these, word for word. */
  readonly mayWrapAll: boolean;
  readonly allowCommands: readonly (readonly string[])[];
}

/** The config, checked once and then trusted. It holds no secret, only functions that fetch one. */
export interface Config {
  /** Absent where there is no file. */
  readonly file?: string | undefined;
  readonly zvm?: ZvmConfig | undefined;
  readonly mcpServers: Readonly<Record<string, ServerEntry>>;
  readonly targets: Readonly<Record<string, string | { readonly vmIdentifier: string }>>;
  readonly domains: readonly string[];
  readonly exempt: readonly { readonly hosts: readonly string[]; readonly reason: string }[];
  readonly agent?: string | undefined;
  readonly mode: 'enforce' | 'observe';
  readonly policy: ConfigFile['policy'];
  readonly guard: ConfigFile['guard'];
  readonly approvals: ConfigFile['approvals'];
  readonly classifier: ConfigFile['classifier'];
  readonly ansible: {
    readonly inventorySnapshot: { readonly file: string; readonly maxAgeMinutes?: number | undefined } | null;
    readonly allowExecutableInventory: boolean;
  };
  readonly recovery: ConfigFile['recovery'];
  readonly audit: ConfigFile['audit'];
  readonly export: ExportTargets;
  /** Absent where there is no system config, or none that can be used. */
  readonly system?: SystemRules | undefined;
  /** Why only calls that read go through: a system config is there and cannot be used. For the operator. */
  readonly locked?: string | undefined;
  /** Names of the variables that hold secrets; see `secretVariables`. */
  readonly secretVariables: readonly string[];
}

/** The environment variables that hold the proxy's secrets: withheld from every wrapped server. */
export function secretVariables(config: Config): readonly string[] {
  return config.secretVariables;
}
