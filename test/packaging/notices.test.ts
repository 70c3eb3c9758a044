import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { noticesOf, packagesOf } from '../../scripts/third-party.mjs';

interface Bill {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly serialNumber: string;
  readonly metadata: { readonly component: Readonly<Record<string, string>> };
  readonly components: readonly (Readonly<Record<string, string>> & { readonly hashes: readonly object[] })[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Parameters<typeof packagesOf>[0];
const { dependencies, version } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly dependencies: object;
  readonly version: string;
};
const needed = packagesOf(lock);

test('the notices name each package that is installed with the program, and none that is for development', () => {
  const text = noticesOf(needed, '.');
  for (const name of Object.keys(dependencies)) expect(text).toContain(`- ${name} `);
  expect(text).toContain('Permission is hereby granted');
  expect(text).not.toMatch(/^- (?:vitest|typescript|ssh2) /m);
});

test('a licence that nobody looked at stops the packing, and so does a package that is not installed', () => {
  const one = { path: 'node_modules/zod', name: 'zod', version: '1.0.0', license: 'MIT', optional: false };
  expect(() => noticesOf([{ ...one, license: 'SSPL-1.0' }], '.')).toThrow(
    'zod@1.0.0: licence "SSPL-1.0" was never looked at',
  );
  expect(() => noticesOf([{ ...one, license: undefined }], '.')).toThrow('never looked at');
  expect(() => noticesOf([{ ...one, path: 'node_modules/not-there' }], '.')).toThrow('not installed');
  expect(noticesOf([{ ...one, path: 'node_modules/not-there', optional: true }], '.')).toContain(
    'No text comes with it',
  );
});

test('the bill of materials is CycloneDX, and lists exactly what is installed with the program', () => {
  const bill = JSON.parse(
    execFileSync(process.execPath, ['scripts/sbom.mjs'], { encoding: 'utf8', maxBuffer: 1 << 28 }),
  ) as Bill;
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: expect.stringMatching(/^1\.\d$/) });
  expect(bill.serialNumber).toMatch(/^urn:uuid:[0-9a-f-]{36}$/);
  expect(bill.metadata.component).toMatchObject({ name: 'zerto-rewind-proxy', version, type: 'application' });
  const listed = new Set(bill.components.map((each) => `${each['name']}@${each['version']}`));
  expect(listed).toEqual(new Set(needed.map((each) => `${each.name}@${each.version}`)));
  for (const component of bill.components)
    expect(component).toMatchObject({
      type: 'library',
      purl: expect.stringMatching(/^pkg:npm\//),
      licenses: [expect.anything()],
    });
  const refs = new Set([...bill.components, bill.metadata.component].map((each) => each['bom-ref']));
  for (const { ref, dependsOn } of bill.dependencies)
    expect([ref, ...dependsOn].filter((each) => !refs.has(each))).toEqual([]);
});
