// Part of the build: puts the grammar of PowerShell and its licence beside the compiled loader, so that the package needs nothing else.
import { chmodSync, copyFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const from = dirname(createRequire(import.meta.url).resolve('tree-sitter-pwsh/package.json'));
const to = fileURLToPath(new URL('../../../dist/src/classify/powershell/', import.meta.url));
copyFileSync(join(from, 'tree-sitter-powershell.wasm'), join(to, 'tree-sitter-powershell.wasm'));
copyFileSync(join(from, 'LICENSE'), join(to, 'tree-sitter-powershell.LICENSE'));
// `npx zerto-rewind-proxy` in a clone starts the file itself.
chmodSync(fileURLToPath(new URL('../../../dist/src/main.js', import.meta.url)), 0o755);
