import type { InsertTrouble } from './insert.js';

type InsertFault =
  | InsertTrouble
  | { readonly kind: 'refuse'; readonly status: number; readonly message: string }
  /** The tag is taken, and the connection is cut instead of the answer. */
  | { readonly kind: 'drop_answer' };

type MountFault =
  | { readonly kind: 'refuse'; readonly status: number; readonly message: string }
  | { readonly kind: 'hang' }
  | { readonly kind: 'fail' }
  | { readonly kind: 'drop_answer' };

/** The answer holds only the first `items`, and does not say so. */
type BrowseFault = { readonly kind: 'partial'; readonly items: number };

export type DownloadFault =
  /** The connection is cut after so many bytes. */
  | { readonly kind: 'cut'; readonly bytes: number }
  /** A complete answer with so many bytes, shorter than the file. */
  | { readonly kind: 'short'; readonly bytes: number }
  /** Other bytes of the right length. */
  | { readonly kind: 'wrong_content' }
  | { readonly kind: 'zip' }
  /** The link as given, for instance to another host. */
  | { readonly kind: 'url'; readonly url: string };

type UnmountFault =
  | { readonly kind: 'refuse'; readonly status: number; readonly message: string }
  /** It stays in UnmountInProgress. */
  | { readonly kind: 'hang' };

export type EndpointFault =
  /** Without a message the body is empty. */
  | { readonly kind: 'status'; readonly status: number; readonly message?: string }
  | { readonly kind: 'unauthorized' }
  | { readonly kind: 'slow'; readonly ms: number }
  /** The connection is cut; nothing was done. */
  | { readonly kind: 'drop' }
  /** This text with status 200. */
  | { readonly kind: 'body'; readonly text: string; readonly contentType?: string };

/** How often a fault strikes, and how many requests it lets through before. */
interface Times {
  /** 1; Infinity for good. */
  readonly times?: number;
  readonly after?: number;
}

/** What goes wrong next. `vpg` and `vm` are names as in the world's options; left out, any will do. */
export interface Faults {
  insert(fault: InsertFault, on?: Times & { readonly vpg?: string }): void;
  mount(fault: MountFault, on?: Times & { readonly vm?: string }): void;
  browse(fault: BrowseFault, on?: Times): void;
  download(fault: DownloadFault, on?: Times): void;
  unmount(fault: UnmountFault, on?: Times): void;
  /** `path` is tested against method, space and path in lower case, such as `get /v1/tasks/…`. */
  endpoint(path: RegExp, fault: EndpointFault, on?: Times): void;
  /** Every token is void from now on; a new login works. */
  revokeTokens(): void;
  /** `down` refuses connections and cuts the open ones. */
  network(state: 'up' | 'down'): Promise<void>;
  /** From now on the server shows another certificate, as after an update, or its own again. Open connections are cut. */
  certificate(which: 'another' | 'own'): Promise<void>;
  clear(): void;
}

interface Areas {
  insert: InsertFault;
  mount: MountFault;
  browse: BrowseFault;
  download: DownloadFault;
  unmount: UnmountFault;
  endpoint: EndpointFault;
}

interface Rule<Area extends keyof Areas> {
  readonly matches: (subject: string) => boolean;
  readonly fault: Areas[Area];
  left: number;
  skip: number;
}

/** The rules as the server asks them: `take` uses one up. */
export interface FaultBook {
  readonly rules: Omit<Faults, 'revokeTokens' | 'network' | 'certificate'>;
  take<Area extends keyof Areas>(area: Area, subject: string): Areas[Area] | undefined;
}

/** An empty book. */
export function createFaults(): FaultBook {
  const book: { [Area in keyof Areas]: Rule<Area>[] } = {
    insert: [],
    mount: [],
    browse: [],
    download: [],
    unmount: [],
    endpoint: [],
  };

  function add<Area extends keyof Areas>(
    area: Area,
    fault: Areas[Area],
    on: Times,
    matches: Rule<Area>['matches'] = () => true,
  ): void {
    book[area].push({ fault, matches, left: on.times ?? 1, skip: on.after ?? 0 });
  }
  const named = (name: string | undefined) => (subject: string) => name === undefined || name === subject;

  return {
    rules: {
      insert: (fault, on = {}) => add('insert', fault, on, named(on.vpg)),
      mount: (fault, on = {}) => add('mount', fault, on, named(on.vm)),
      browse: (fault, on = {}) => add('browse', fault, on),
      download: (fault, on = {}) => add('download', fault, on),
      unmount: (fault, on = {}) => add('unmount', fault, on),
      endpoint: (path, fault, on = {}) =>
        add('endpoint', fault, on, (subject) => new RegExp(path.source, path.flags.replace(/[gy]/g, '')).test(subject)),
      clear: () => {
        for (const rules of Object.values(book)) rules.length = 0;
      },
    },
    take(area, subject) {
      for (const rule of book[area]) {
        if (rule.left <= 0 || !rule.matches(subject)) continue;
        if (rule.skip > 0) {
          rule.skip -= 1;
          continue;
        }
        rule.left -= 1;
        return rule.fault;
      }
      return undefined;
    },
  };
}
