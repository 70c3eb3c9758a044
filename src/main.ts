#!/usr/bin/env node
import { main } from './commands/main.js';

process.exitCode = await main(process.argv.slice(2), process);
// Streams that the client or a child still holds must not keep the process; what was written is already on its way.
if (process.stdout.writableLength === 0) process.exit();
process.stdout.once('drain', () => process.exit());
