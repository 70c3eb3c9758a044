/** One file-level-restore session as the appliance tells it. */
export interface FlrSession {
  readonly sessionIdentifier: string;
  readonly status: string;
  readonly vmIdentifier?: string | undefined;
  readonly vpgIdentifier?: string | undefined;
  readonly checkpointIdentifier?: string | undefined;
  readonly mountTime?: string | undefined;
  readonly runningTasks?: number | undefined;
}

/** One row of a browsed folder. `path` is the whole path from the mount's root. */
export interface FlrItem {
  readonly path: string;
  readonly type: string;
  readonly browsable: boolean;
  readonly sizeInBytes?: number | undefined;
  readonly lastWriteTime?: string | undefined;
  readonly downloadable: boolean;
  readonly note?: string | undefined;
  /** It is there, and is not asked for since the appliance could take its name for another path. */
  readonly unsure?: boolean | undefined;
}

export interface MountRequest {
  readonly vpgIdentifier: string;
  readonly vmIdentifier: string;
  readonly checkpointIdentifier: string;
}

/** Whoever opens it reads the stream to its end or destroys it. */
export interface Download {
  readonly stream: AsyncIterable<Uint8Array> & { destroy?(): unknown };
  readonly contentType?: string | undefined;
  readonly disposition?: string | undefined;
  readonly length?: number | undefined;
}

/** What a recovery needs of a ZVM client. Each rejects with ZVM_* codes. */
export interface RecoveryClient {
  mount(request: MountRequest, signal: AbortSignal): Promise<string>;
  /** `undefined`: the appliance does not know the session (any more). */
  session(sessionIdentifier: string, signal: AbortSignal): Promise<FlrSession | undefined>;
  sessions(vmIdentifier: string | undefined, signal: AbortSignal): Promise<readonly FlrSession[]>;
  /** An empty path lists the volumes. Where pages start is the appliance's own affair. */
  browse(
    sessionIdentifier: string,
    path: string,
    page: { readonly number: number; readonly size: number },
    signal: AbortSignal,
  ): Promise<{ readonly items: readonly FlrItem[] }>;
  download(sessionIdentifier: string, paths: readonly string[], signal: AbortSignal): Promise<string>;
  openDownload(url: string, signal: AbortSignal): Promise<Download>;
  unmount(sessionIdentifier: string, signal: AbortSignal): Promise<unknown>;
  localSite(signal: AbortSignal): Promise<{ readonly siteIdentifier: string }>;
}

/** `recoverySite` is the VPG's recovery site as the inventory gives it; a recovery elsewhere is refused. */
export interface RecoverRequest extends MountRequest {
  readonly recoverySite: string | undefined;
  readonly path: string;
  readonly maxBytes: number;
  /** Of a folder's listing, from 1. */
  readonly page?: number | undefined;
  /** Sizes and times only: no byte is read. */
  readonly preview?: boolean | undefined;
  /** Judges the path that was found, without its volume; a text is the reason to stop. */
  readonly deny?: ((path: string) => string | undefined) | undefined;
}
