#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';

// One proxy runs for each server of each client: a small heap, before anything is loaded into it. A young generation that does not
// grow, an old one that is collected at a fifth more than what lives in it, and no threads that are woken for a millisecond's collection.
// What the shapes of objects are is not forgotten when none of them lives at the moment: the engine drops all code compiled for a
// forgotten shape, and between two calls no parsed command is alive. (--optimize-for-size forgets at every collection.)
for (const flag of [
  '--semi-space-growth-factor=1',
  '--heap-growing-percent=20',
  '--no-parallel-scavenge',
  '--retain-maps-for-n-gc=1000',
])
  setFlagsFromString(flag);

// A client may end the proxy while it still loads: whoever hears the signal first must be ours.
const stop = new AbortController();
for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, () => stop.abort());

// A reader that leaves (`| head`) is no fault, and what was meant for it need not wait.
let left = false;
process.stdout.on('error', () => {
  left = true;
});

const { main } = await import('./commands/main.js');
process.exitCode = await main(process.argv.slice(2), process, stop.signal);
// Streams that the client or a child still holds must not keep the process; what was written is already on its way.
if (left || process.stdout.writableLength === 0) process.exit();
process.stdout.once('drain', () => process.exit());
