import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Clock } from './clock.js';
import type { VmOptions } from './options.js';
import { createWorld, type World } from './world.js';

const VMS: readonly Pick<VmOptions & { name: string }, 'name' | 'addresses' | 'windows'>[] = [
  { name: 'app01', addresses: ['10.20.0.11'] },
  { name: 'db01', addresses: ['10.20.0.12'] },
  { name: 'web01', addresses: ['10.20.0.21'] },
  { name: 'web02', addresses: ['10.20.0.22'] },
  { name: 'win01', addresses: ['10.20.0.31'], windows: true },
  { name: 'lab01', addresses: ['10.20.0.41'] },
];

/**
 * The embedded default: one site that replicates to itself; `lab01` is unprotected. Each VM's disk is the directory
 * `<disks>/<vm>`, made with a first file where it is missing.
 */
export function defaultWorld(options: { readonly disks: string; readonly clock?: Clock }): World {
  const vms = VMS.map((vm) => ({
    ...vm,
    disk: prepareDisk(join(options.disks, vm.name), vm.name, vm.windows ?? false),
  }));
  return createWorld({
    ...(options.clock === undefined ? {} : { clock: options.clock }),
    sites: [{ name: 'simulator' }],
    vms,
    vpgs: [
      { name: 'app', vms: ['app01'] },
      { name: 'db-local', vms: ['db01'] },
      { name: 'db-dr', vms: ['db01'] },
      { name: 'web', vms: ['web01', 'web02'] },
      { name: 'windows', vms: ['win01'] },
    ],
  });
}

function prepareDisk(directory: string, name: string, windows: boolean): string {
  if (existsSync(directory)) return directory;
  const [path, text] = windows ? ['ProgramData/hostname.txt', `${name}\r\n`] : ['etc/hostname', `${name}\n`];
  mkdirSync(dirname(join(directory, path)), { recursive: true, mode: 0o700 });
  writeFileSync(join(directory, path), text);
  return directory;
}
