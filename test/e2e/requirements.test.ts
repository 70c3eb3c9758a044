import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { REQUIREMENTS, type RequirementId } from './requirements.js';

const contract = '../shared/design/contract.md';

const verified = new Set(
  readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .flatMap((name) => [...readFileSync(join('test', name), 'utf8').matchAll(/\bverifies\(([^)]*)\)/g)])
    .flatMap(([, ids = '']) => [...ids.matchAll(/'([A-Z]-\d+)'/g)].map(([, id]) => id)),
);
const withStatus = (status: string) =>
  (Object.keys(REQUIREMENTS) as RequirementId[]).filter((id) => REQUIREMENTS[id] === status);

test('every requirement that is claimed, wholly or partly, has a test that verifies it', () => {
  const open = [...withStatus('claimed'), ...withStatus('partly')].filter((id) => !verified.has(id));
  expect(open).toEqual([]);
});

test('nothing is verified that the manifest calls planned', () => {
  expect(withStatus('planned').filter((id) => verified.has(id))).toEqual([]);
});

test.skipIf(!existsSync(contract))(
  'the manifest holds exactly the ids of the contract (skipped where it is not at hand)',
  () => {
    const ids = [...readFileSync(contract, 'utf8').matchAll(/^- ([A-Z]-\d+) /gm)].map(([, id]) => id);
    expect(Object.keys(REQUIREMENTS).sort()).toEqual(ids.sort());
  },
);
