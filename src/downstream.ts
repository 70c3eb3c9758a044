import type { Server } from './domain/call.js';
import type { Logger } from './domain/ports.js';
import { type Child, startChild } from './wire/child.js';

/** A downstream on stdio, before it is started. */
export interface DownstreamStart {
  readonly server: Server;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string | undefined;
}

/** The one place where a downstream is started. */
export function startDownstream({ command, args, env, cwd }: DownstreamStart, log: Logger): Child {
  return startChild({ command, args, env, cwd, log });
}
