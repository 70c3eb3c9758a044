// Writes THIRD-PARTY.md: each package that the installed program brings with it, its licence, and the text of that. Part of `npm pack`.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Licences that ask for no more than their notice; any other stops the packing until a human has looked at it. */
const KNOWN = new Set(['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'CC0-1.0', 'ISC', 'MIT']);

/** The packages of the lock file that are not for development alone. */
export function packagesOf(lock) {
  return Object.entries(lock.packages)
    .filter(([path, entry]) => path !== '' && entry.dev !== true && entry.link !== true)
    .map(([path, entry]) => ({
      path,
      name: entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version: entry.version,
      license: entry.license,
      optional: entry.optional === true,
    }));
}

/** The notices of these packages, installed below `root`. Throws where a licence is none that is known, or its package is not there. */
export function noticesOf(packages, root) {
  const texts = new Map();
  for (const { path, name, version, license, optional } of packages) {
    if (!KNOWN.has(license))
      throw new Error(`${name}@${version}: licence ${JSON.stringify(license)} was never looked at`);
    const dir = join(root, path);
    if (!existsSync(dir) && !optional) throw new Error(`${name}@${version} is not installed: run npm ci`);
    const text = existsSync(dir) ? licenceTextIn(dir) : '';
    const key = `${license}\n${text.replace(/\s+/g, ' ')}`;
    const same = texts.get(key) ?? { license, text, names: new Set() };
    texts.set(key, { ...same, names: same.names.add(`${name} ${version}`) });
  }
  const parts = [...texts.values()].map(({ license, text, names }) => {
    const said = text === '' ? `No text comes with it; its package.json says ${license}.` : fenced(text);
    return `## ${license}\n\n${[...names]
      .sort()
      .map((each) => `- ${each}\n`)
      .join('')}\n${said}\n`;
  });
  const head =
    '# Licences of what this package needs\n\nnpm installs these packages beside it. The grammar of PowerShell in it has its licence beside it.\n';
  return [head, ...parts.sort()].join('\n');
}

function licenceTextIn(dir) {
  const files = readdirSync(dir)
    .filter((file) => /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i.test(file))
    .sort();
  return files.map((file) => readFileSync(join(dir, file), 'utf8').replaceAll('\r\n', '\n').trim()).join('\n\n');
}

function fenced(text) {
  return ['```', text.replaceAll('```', "'''"), '```'].join('\n');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  writeFileSync('THIRD-PARTY.md', noticesOf(packagesOf(lock), '.'));
}
