/** What another machine's certificate must be, and the files by which the proxy shows who it is. Paths are absolute; files are read for each connection. */
export interface PeerTls {
  readonly caFile?: string | undefined;
  readonly fingerprint256?: string | undefined;
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
}

/** Where the audit log goes besides its directory, with secrets as functions. */
export interface ExportTargets {
  readonly otlp?:
    | {
        readonly url: string;
        readonly headers: () => Promise<Readonly<Record<string, string>>>;
        readonly tls: PeerTls;
        readonly logs: boolean;
        readonly traces: boolean;
        readonly metrics: boolean;
        readonly metricsEverySeconds: number;
      }
    | undefined;
  readonly syslog?:
    | {
        readonly host: string;
        readonly port: number;
        readonly tls: PeerTls;
        readonly format: 'json' | 'ocsf';
        readonly facility: number;
      }
    | undefined;
  readonly ocsf?: { readonly dir: string } | undefined;
}
