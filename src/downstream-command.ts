import type { Meters } from './domain/meters.js';
import type { Logger } from './domain/ports.js';
import type { DownstreamStart } from './downstream.js';
import { startChild } from './wire/child.js';
import type { DownstreamEnd } from './wire/downstream-end.js';

export type CountChild = Pick<Meters, 'child'>;

const NOT_STARTED =
  'the wrapped server cannot be started: correct its command, or install the program; the client may have another PATH than your shell';

/** Starts a server that speaks on stdio. By itself, so that it can come up while the rest of the proxy still loads. */
export function startCommand(
  start: DownstreamStart & { readonly kind: 'command' },
  log: Logger,
  meters?: CountChild,
): DownstreamEnd {
  const { command, server } = start;
  const child = counted(startChild({ ...start, log }), meters);
  void child.exit.then(({ spawnError }) => {
    if (spawnError !== undefined) log.warn({ server: server.name, command, error: spawnError.message }, NOT_STARTED);
  });
  return child;
}

/** The same child, counted until it is gone. */
export function counted<Child extends DownstreamEnd | undefined>(child: Child, meters: CountChild | undefined): Child {
  if (child === undefined || meters === undefined) return child;
  meters.child(1);
  void child.exit.then(() => meters.child(-1));
  return child;
}
