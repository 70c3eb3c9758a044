import { expect, it } from 'vitest';
import type { Recovered } from '../../src/domain/recovered.js';
import type { Knobs } from '../../src/simulator/index.js';
import { recoverFile } from '../../src/zerto/recover.js';
import { guarded } from '../../src/zerto/recover-backslash.js';
import { fc } from '../support/property.js';
import { type Lab, lab } from './recover-support.js';

const FILES: Readonly<Record<string, string>> = {
  '/d/a\\b': 'its own',
  '/d/line\nbreak': 'line',
  '/d/\u001b[31mred\u0007': 'red',
  '/d/x\\y': 'a name with a backslash',
  '/d/x/y': 'another file of as many characters',
  '/d/\\lead': 'lead',
  '/d/lead': 'LEAD',
  '/d/fo\\lder/f': 'in a folder',
  '/d/..\\x': 'up',
  '/x': 'UP',
};

async function world(backslash: Knobs['backslash']): Promise<(path: string) => Promise<Recovered>> {
  const made: Lab = await lab({ knobs: { backslash } });
  for (const [path, text] of Object.entries(FILES)) made.world.write('app01', path, text);
  const point = made.pin('app');
  const request = { ...point, vmIdentifier: made.vmId('app01'), recoverySite: made.site, maxBytes: 99 };
  return (path) => recoverFile(made.client, { ...request, path }, made.tools, new AbortController().signal);
}

const text = (result: Recovered): string => (result.kind === 'file' ? result.bytes.toString() : result.kind);

it('names with control characters come back', async () => {
  const recover = await world('refused');
  for (const path of ['/d/line\nbreak', '/d/\u001b[31mred\u0007']) expect(text(await recover(path))).toBe(FILES[path]);
});

it('names with a backslash come back where the appliance takes them', async () => {
  const recover = await world('name');
  expect(text(await recover('/d/a\\b'))).toBe('its own');
  expect(text(await recover('/d/fo\\lder/f'))).toBe('in a folder');
});

it('names with a backslash are said to be refused where the appliance does not take them', async () => {
  const recover = await world('refused');
  for (const path of ['/d/a\\b', '/d/fo\\lder/f'])
    await expect(recover(path)).rejects.toThrow(/does not take the backslash in this name.*test failover/);
});

it.each(['name', 'separator', 'refused'] as const)(
  'where a backslash may lead to another file, nothing is asked (appliance: %s)',
  async (backslash) => {
    const recover = await world(backslash);
    for (const path of ['/d/x\\y', '/d/\\lead', '/d/..\\x'])
      expect(await recover(path)).toMatchObject({ kind: 'refused', why: expect.stringContaining('backslash') });
    const listed = await recover('/d');
    expect(listed.kind === 'folder' && listed.entries.find(({ name }) => name === 'x\\y')).toMatchObject({
      note: expect.stringContaining('backslash'),
    });
  },
);

it('an appliance that takes backslashes for separators never gives another file', async () => {
  const recover = await world('separator');
  await expect(recover('/d/a\\b')).rejects.toThrow(/backslash/);
});

it('a row is only asked for where no reading of its name leads to a neighbour', () => {
  const piece = fc.constantFrom('a', 'B', '\\', '..', '.', 'é');
  const name = fc.array(piece, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(name, fc.array(name), (own, others) => {
      const item = { path: `v/${own}`, type: 'File', browsable: false, downloadable: true };
      const row = guarded(item, own, new Set([own, ...others].map((each) => each.toLowerCase())));
      if (!own.includes('\\')) expect(row).toBe(item);
      else if (row.downloadable) {
        const [first = ''] = own.split('\\').filter((part) => part !== '' && part !== '.');
        expect(others.map((each) => each.toLowerCase())).not.toContain(first.toLowerCase());
        expect(own.split('\\')).not.toContain('..');
      }
    }),
  );
});
