// Prints a CycloneDX bill of materials of the installed program. npm makes it of everything, and what is for development alone is taken out here:
// `npm sbom --omit dev` also leaves out what a development package needs too (two of three packages, zod among them).
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { packagesOf } from './third-party.mjs';

/** The part of npm's bill that the installed program needs, under its own name. Throws where a package of the lock file is missing in it. */
export function ofProduction(bill, lock) {
  const needed = new Set(packagesOf(lock).map(({ name, version }) => `${name}@${version}`));
  const own = bill.metadata.component['bom-ref'];
  const components = bill.components.filter(({ name, version }) => needed.has(`${name}@${version}`));
  const missing = [...needed].filter((each) => !components.some(({ name, version }) => each === `${name}@${version}`));
  if (missing.length > 0) throw new Error(`npm's bill lacks ${missing.join(', ')}`);
  const kept = new Set([own, ...components.map((each) => each['bom-ref'])]);
  const dependencies = bill.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: (dependsOn ?? []).filter((each) => kept.has(each)) }));
  const component = { ...bill.metadata.component, name: lock.name, type: 'application' };
  return { ...bill, metadata: { ...bill.metadata, component }, components: components.map(unmarked), dependencies };
}

/** npm marks a package as one for development where any of those needs it. */
function unmarked(component) {
  const properties = (component.properties ?? []).filter(({ name }) => name !== 'cdx:npm:package:development');
  return { ...component, properties };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const options = { encoding: 'utf8', maxBuffer: 1 << 28, shell: process.platform === 'win32' };
  const bill = JSON.parse(execFileSync('npm', args, options));
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  process.stdout.write(`${JSON.stringify(ofProduction(bill, lock), undefined, 2)}\n`);
}
