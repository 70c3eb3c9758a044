import { expect, test } from 'vitest';
import { assess } from '../../src/domain/assessment.js';
import type { Judged } from '../../src/domain/ports.js';
import { type Aim, NO_AIM } from '../../src/domain/target.js';
import { underBreakGlass } from '../../src/policy/break-glass.js';
import { verifies } from '../e2e/requirements.js';
import { target, toolCall, vpg } from '../support/calls.js';

const grant = { id: 'bg_1', vms: ['APP01', 'db01'], reason: 'ZVM is down', by: 'ann', until: '2026-01-01T00:10:00Z' };
const judged = (
  aim: Aim,
  hosts: readonly string[] = [],
  parts: Partial<Judged['reading']> = {},
  own?: string,
): Judged => ({
  call: toolCall({ server: { name: 'ssh', target: own } }),
  reading: {
    interceptor: 'x',
    roles: {},
    operations: [],
    hosts: hosts.map((value) => ({ value, argument: 'host' })),
    ...parts,
  },
  assessment: assess([]),
  aim,
});
const app = target('app01', vpg('app'));
const web = target('web01', vpg('web'));
const problem = (host: string) => ({ host, kind: 'unprotected', why: 'x', found: [] }) as const;
const down: Aim = { ...NO_AIM, failure: { error: new Error('down') } };
const alias = (host: string) => (host === 'main' ? 'app01' : host);

test(`${verifies('P-3')} only calls whose every VM is named are waived, with the reason`, () => {
  expect(underBreakGlass(judged({ targets: [app], problems: [] }), grant, alias)).toEqual({
    kind: 'waive',
    rule: 'break-glass',
    by: 'break-glass bg_1 by ann until 2026-01-01T00:10:00Z: ZVM is down',
  });
  expect(underBreakGlass(judged({ targets: [app], problems: [] }), undefined, alias)).toBeUndefined();
  for (const aim of [
    { targets: [app, web], problems: [] },
    { targets: [app], problems: [problem('web01')] },
    { targets: [], problems: [problem('')] },
    NO_AIM,
  ])
    expect(underBreakGlass(judged(aim), grant, alias)).toBeUndefined();
  expect(underBreakGlass(judged({ targets: [app], problems: [problem('db01')] }), grant, alias)?.kind).toBe('waive');
});

test('where nothing can be looked up the names of the call decide, and nothing that is not plain', () => {
  expect(underBreakGlass(judged(down, ['app01', 'main']), grant, alias)?.kind).toBe('waive');
  expect(underBreakGlass(judged(down, [], {}, 'db01'), grant, alias)?.kind).toBe('waive');
  for (const call of [
    judged(down),
    judged(down, ['app01', 'web01']),
    judged(down, ['app01'], { handles: [{ value: 's1', argument: 'session' }] }),
    judged(down, ['app01'], { ansible: [{ argument: 'a', pattern: 'all', inventories: [] }] }),
  ])
    expect(underBreakGlass(call, grant, alias)).toBeUndefined();
});
