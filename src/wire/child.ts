import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import spawn from 'cross-spawn';
import type { Logger } from '../domain/ports.js';
import { delay, type Group, groupOf } from './child-group.js';
import type { DownstreamEnd, DownstreamExit } from './downstream-end.js';

/** How long a child may take to leave after its stdin ended, and then after TERM; together with the KILL below 3 seconds. */
const LEAVE_MS = 700;
const TERM_MS = 500;
/** How long stdout may stay open without data once the child is gone and a stranger outside its group still holds it. */
const HELD_OPEN_MS = 400;

export interface ChildOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment: nothing is added to it and nothing left out. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string | undefined;
  readonly log: Logger;
  /** Where the child's stderr goes; a number is a file descriptor. Default: the proxy's own stderr. */
  readonly stderr?: 'inherit' | 'ignore' | number | undefined;
}

/** How a process ended: by a code, by a signal, or never started. */
export type ChildExit = DownstreamExit;

/** A running downstream process and its group; `exit` resolves when the group was ended too. */
export interface Child extends DownstreamEnd {
  readonly pid: number | undefined;
}

/** Starts a command in its own process group, with `.cmd` and shebang handling on Windows; a failed start shows in `exit`. */
export function startChild(options: ChildOptions): Child {
  try {
    return new RunningChild(open(options), options.log);
  } catch (error) {
    return failedChild(error instanceof Error ? error : new Error(String(error)));
  }
}

/** The exit code by which the proxy passes on how its child ended: the code itself, 128+n after a signal, 127 when it never ran. */
export function exitCode(exit: ChildExit): number {
  if (exit.spawnError !== undefined) return 127;
  if (exit.signal !== null) return 128 + (constants.signals[exit.signal] ?? 0);
  return exit.code ?? 1;
}

function open(options: ChildOptions): ChildProcess {
  return spawn(options.command, options.args, {
    env: options.env,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    stdio: ['pipe', 'pipe', options.stderr ?? 'inherit'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
}

class RunningChild implements Child {
  readonly pid: number | undefined;
  readonly input: Writable;
  readonly output: Readable;
  readonly exit: Promise<ChildExit>;
  readonly #group: Group | undefined;
  #stopping: Promise<ChildExit> | undefined;

  constructor(child: ChildProcess, log: Logger) {
    this.pid = child.pid;
    this.input = child.stdin ?? new PassThrough();
    this.output = child.stdout ?? new PassThrough().end();
    this.#group = child.pid === undefined ? undefined : groupOf(child.pid);
    this.input.on('error', (error) => log.debug({ error: error.message }, 'the downstream closed its stdin'));
    this.output.on('error', (error) => log.debug({ error: error.message }, 'the downstream closed its stdout'));
    this.exit = this.#watch(child);
  }

  stop(): Promise<ChildExit> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<ChildExit> {
    this.input.end();
    await Promise.race([this.exit, delay(LEAVE_MS)]);
    await this.#group?.end(TERM_MS);
    await Promise.race([this.exit, delay(HELD_OPEN_MS)]);
    this.output.destroy();
    return this.exit;
  }

  async #watch(child: ChildProcess): Promise<ChildExit> {
    const closed = new Promise<void>((resolve) => {
      this.output.once('close', resolve);
    });
    const exit = await ended(child);
    if (exit.spawnError !== undefined) this.output.destroy();
    await this.#group?.end(TERM_MS);
    await Promise.race([closed, this.#abandon()]);
    return exit;
  }

  /** What the pipe holds is read to its end, however slow the reader; nothing buffered and nothing coming means a stranger holds it. */
  async #abandon(): Promise<void> {
    let idle = 0;
    while (!this.output.closed && idle < HELD_OPEN_MS) {
      await delay(50);
      idle = this.output.readableLength === 0 ? idle + 50 : 0;
    }
    this.output.destroy();
  }
}

function ended(child: ChildProcess): Promise<ChildExit> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    // On Windows cross-spawn turns the exit of a command that does not exist into an error of a process that has an id.
    child.on('error', (error: NodeJS.ErrnoException) => {
      if (child.pid === undefined || error.code === 'ENOENT') resolve({ code: null, signal: null, spawnError: error });
    });
  });
}

function failedChild(spawnError: Error): Child {
  const exit = Promise.resolve({ code: null, signal: null, spawnError });
  return { pid: undefined, input: new PassThrough(), output: new PassThrough().end(), exit, stop: () => exit };
}
