import { expect, test } from 'vitest';
import type { ApplianceEvent, ApplianceRecords } from '../../src/domain/evidence.js';
import type { Checkpoint } from '../../src/domain/receipt.js';
import type { Attempt, ClaimedMount, ClaimedTag, Claims } from '../../src/reconcile/claims.js';
import { compare, type Question } from '../../src/reconcile/compare.js';
import { vpg } from '../support/calls.js';

const START = Date.UTC(2026, 10, 30, 12);
const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString().replace('.000Z', 'Z');
const nameOf = (seconds: number, change = 'c_1') =>
  `ai:agent | ssh run | vm=app01 | change=${change} | ${new Date(START + seconds * 1000).toISOString()}`;

const QUESTION: Question = {
  since: Number.NEGATIVE_INFINITY,
  until: Number.POSITIVE_INFINITY,
  forgotten: undefined,
  accounts: new Map([['prod', 'rewind']]),
  allVpgs: true,
};

function claimed(seconds: number, parts: Partial<ClaimedTag> = {}): ClaimedTag {
  const checkpointIdentifier = String(seconds);
  const place = { vpg: 'app', vpgIdentifier: 'id-app', site: 'prod', checkpointIdentifier, timestamp: at(seconds) };
  return { name: nameOf(seconds), ...place, calls: [`call_${seconds}`], asked: true, ...parts };
}

function event(seconds: number, text: string, parts: Partial<ApplianceEvent> = {}): ApplianceEvent {
  return { kind: 'tag', site: 'prod', at: at(seconds), text, user: 'rewind', vpgs: ['id-app'], ...parts };
}

const point = (seconds: number, tag?: string): Checkpoint => ({
  checkpointIdentifier: String(seconds),
  timestamp: at(seconds),
  tag,
});

/** One site with one VPG whose journal begins an hour before, as the site's events do. */
function records(
  tagged: readonly Checkpoint[],
  events: readonly ApplianceEvent[],
  { aheadMs = 0, from = at(-3600) }: { readonly aheadMs?: number; readonly from?: string } = {},
): ApplianceRecords {
  return {
    vms: [],
    journals: [
      {
        vpg: vpg('app', { site: 'prod', recoverySite: 'guid-prod' }),
        answer: { kind: 'read', tagged, oldest: point(-3600) },
      },
    ],
    sites: [{ site: 'prod', siteIdentifier: 'guid-prod', aheadMs, answer: { kind: 'read', events, from } }],
    silent: [],
  };
}

function claims(tags: readonly ClaimedTag[], parts: Partial<Claims> = {}): Claims {
  return { tags, attempts: [], mounts: [], oldest: START, counts: { calls: 0, waived: 0, observed: 0 }, ...parts };
}

const told = (what: Claims, seen: ApplianceRecords, question: Partial<Question> = {}) =>
  compare(what, seen, { ...QUESTION, ...question }).findings.map(({ status, kind }) => `${kind} ${status}`);

test('a name alone is no proof: another number and another stamp are another checkpoint', () => {
  const tag = claimed(0);
  const events = [event(1, tag.name)];
  expect(told(claims([tag]), records([point(9, tag.name)], events))).toEqual(['tag lost', 'tag extra']);
  const cut = { ...point(0), tag: tag.name.slice(0, 30) };
  expect(told(claims([tag]), records([cut], events))).toEqual(['tag confirmed']);
});

test.each([
  ['another number', { checkpointIdentifier: '77' }, /^the journal lists it with number "77" for "0"$/],
  ['another stamp', { timestamp: at(40) }, /^the journal lists it with time "2026-11-30T12:00:40Z" for /],
  [
    'another name',
    { tag: nameOf(0).replace('vm=app01', 'vm=app02') },
    /^the journal lists it with name "ai:.*" for "ai:/,
  ],
  ['a beginning that fits many', { tag: nameOf(0).slice(0, 10) }, /with name/],
])('a checkpoint that is listed with %s than the receipt’s is the tag, and differs', (_, parts, why) => {
  const tag = claimed(0);
  const seen = records([{ ...point(0, tag.name), ...parts }], [event(1, tag.name)]);
  const { findings } = compare(claims([tag]), seen, QUESTION);
  expect(findings).toMatchObject([{ status: 'differs', checkpoint: 'listed', why: expect.stringMatching(why) }]);
});

test('a name from which the log took something out is no difference', () => {
  const tag = claimed(0, { name: nameOf(0).replace('run', '[redacted:0123abcd]') });
  expect(told(claims([tag]), records([point(0, nameOf(0))], [event(1, nameOf(0))]))).toEqual(['tag confirmed']);
});

test('where no account is known to be the proxy’s, nobody can tell whose the others are', () => {
  const seen = records(
    [point(0, 'by hand')],
    [event(1, 'by hand', { user: 'svc' }), event(5, '', { kind: 'mount', user: 'svc' })],
  );
  for (const accounts of [new Map<string, string>(), QUESTION.accounts]) {
    const { findings, gaps, others } = compare(claims([]), seen, { ...QUESTION, accounts });
    expect({ findings, others }).toEqual({ findings: [], others: { tags: 1, mounts: 1 } });
    expect(gaps).toEqual([
      { what: 'accounts', name: 'prod', why: expect.stringMatching(/1 tag and 1 mount .* may be the proxy's/) },
    ]);
  }
  const tag = claimed(600);
  const learned = records(
    [point(600, tag.name)],
    [event(1, 'by hand', { user: 'x' }), event(601, tag.name, { user: 'svc' })],
  );
  expect(compare(claims([tag]), learned, { ...QUESTION, accounts: new Map() }).gaps).toEqual([]);
  const own = records([], [event(1, 'by hand', { user: 'x' }), event(601, '', { user: 'REWIND' })]);
  expect(compare(claims([]), own, QUESTION)).toMatchObject({ gaps: [], others: { tags: 1 } });
});

test('an account is the same in any letter case and with a domain, but not in two domains', () => {
  const mountBy = (user: string, configured: string) =>
    told(claims([]), records([], [event(0, '', { kind: 'mount', user })]), {
      accounts: new Map([['prod', configured]]),
    });
  for (const user of ['rewind', 'CORP\\Rewind', 'rewind@corp.local', 'REWIND'])
    expect([user, mountBy(user, 'Rewind')]).toEqual([user, ['mount extra']]);
  expect(mountBy('rewind', 'CORP\\rewind')).toEqual(['mount extra']);
  for (const user of ['OTHER\\rewind', 'rewind@other.local', 'CORP\\rewind2', 'rewin'])
    expect([user, mountBy(user, 'CORP\\rewind')]).toEqual([user, []]);
});

test('for one VM, an act of the proxy that names no VPG is not compared; one that names a recorded tag is that tag’s', () => {
  const [tag, other] = [claimed(0), claimed(600)];
  const tagged = [point(0, tag.name), point(600, other.name)];
  const [none, some] = [
    [event(1, tag.name, { vpgs: [] }), event(601, other.name)],
    [
      event(5, '', { kind: 'mount', vpgs: [] }),
      event(6, 'by hand', { vpgs: [] }),
      event(7, '', { vpgs: [], user: 'x' }),
    ],
  ];
  const one = { ...QUESTION, allVpgs: false };
  const named = compare(claims([tag, other]), records(tagged, none), one);
  expect(named).toMatchObject({ findings: [{ status: 'confirmed', why: '' }, { status: 'confirmed' }], gaps: [] });
  expect(compare(claims([tag, other]), records(tagged, [...none, ...some]), one)).toMatchObject({
    findings: [{ status: 'confirmed' }, { status: 'confirmed' }],
    gaps: [{ what: 'events', name: 'prod', why: expect.stringMatching(/^2 acts of the proxy's account name no VPG/) }],
  });
});

test('where events name tags, one that names another does not fill in for an event that is gone', () => {
  const [tag, other] = [claimed(0), claimed(600)];
  const seen = records(
    [point(0, tag.name), point(600, other.name)],
    [event(1, 'Insert user defined checkpoint: by hand', { user: 'somebody' }), event(601, other.name)],
  );
  expect(told(claims([tag, other]), seen)).toEqual(['tag no_event', 'tag confirmed']);
});

test('an event cannot be missed from before the oldest that the site gave', () => {
  const [tag, other] = [claimed(0), claimed(600)];
  const seen = records([point(0, tag.name), point(600, other.name)], [event(601, other.name)], { from: at(-179) });
  const [first] = compare(claims([tag, other]), seen, QUESTION).findings;
  expect(first).toMatchObject({ status: 'confirmed', checkpoint: 'listed', event: 'not_compared' });
});

test('an event that names nobody is taken for the proxy’s, unless its tag is somebody else’s', () => {
  const unnamed = event(0, 'Insert user defined checkpoint', { user: undefined });
  expect(told(claims([]), records([], [unnamed]))).toEqual(['tag extra']);
  expect(told(claims([]), records([point(0, 'by hand')], [unnamed]))).toEqual([]);
  expect(told(claims([]), records([], [event(0, '', { kind: 'mount', user: undefined })]))).toEqual(['mount extra']);
});

test('whoever made the tags that the log knows is the proxy, whatever the appliance calls the account', () => {
  const tag = claimed(0);
  const seen = records(
    [point(0, tag.name), point(600, 'by hand')],
    [event(1, tag.name, { user: 'DOMAIN\\svc' }), event(601, 'by hand', { user: 'domain\\SVC' })],
  );
  expect(told(claims([tag]), seen)).toEqual(['tag confirmed', 'tag extra']);
});

test('what stands before the log since retention removed its files is not compared', () => {
  const seen = records([point(-60, nameOf(-60)), point(60, nameOf(60))], []);
  expect(told(claims([]), seen, { forgotten: START })).toEqual(['tag not_compared', 'tag extra']);
});

test('times are compared on one clock: mounts, and tags that an appliance’s event does not name', () => {
  const aheadMs = 3_600_000;
  const span = { call: 'call_1', from: START, to: START + 5_000, vpgs: new Set(['id-app']) };
  const mount: ClaimedMount = { ...span, at: at(0), tool: 'recover', gaveBytes: true, asked: true };
  const attempt: Attempt = { ...span, agent: 'agent', vms: ['app01'], action: 'ssh run' };
  const what = claims([], { mounts: [mount], attempts: [attempt] });
  const seen = records([], [event(3_602, '', { kind: 'mount' }), event(3_602, 'Insert user defined checkpoint')], {
    aheadMs,
  });
  expect(told(what, seen)).toEqual(['tag explained', 'mount confirmed']);
  const late = records([], [event(2, '', { kind: 'mount' }), event(2, 'Insert user defined checkpoint')], { aheadMs });
  expect(told(what, late)).toEqual(['mount missing', 'tag extra', 'mount extra']);
});

test('a tag of another form, by the account of the proxy, is nothing that a call left', () => {
  const vpgs = new Set(['id-app']);
  const attempt: Attempt = {
    call: 'call_1',
    from: START,
    to: START,
    vpgs,
    agent: 'agent',
    vms: ['app01'],
    action: 'ssh',
  };
  const what = claims([], { attempts: [attempt] });
  const byHand = records([point(0, 'by hand')], [event(0, 'Insert: by hand')]);
  expect(told(what, byHand)).toEqual(['tag extra']);
  expect(told(what, records([point(0, nameOf(0).slice(0, 30))], [event(0, 'Insert')]))).toEqual(['tag explained']);
});

test('a recovery explains two mounts on a site, and no more', () => {
  const span = { call: 'call_1', from: START, to: START + 5_000, vpgs: new Set(['id-app']) };
  const mount: ClaimedMount = { ...span, at: at(0), tool: 'recover', gaveBytes: true, asked: true };
  const seen = records(
    [],
    [1, 2, 3].map((second) => event(second, '', { kind: 'mount' })),
  );
  expect(told(claims([], { mounts: [mount] }), seen).sort()).toEqual([
    'mount confirmed',
    'mount confirmed',
    'mount extra',
  ]);
});

test('thousands of tags and events are joined in no time that anybody waits for', () => {
  const many = Array.from({ length: 4_000 }, (_, index) => claimed(index, { name: nameOf(index, `c_${index}`) }));
  const seen = records(
    many.map((tag, index) => point(index, tag.name)),
    many.map((tag, index) => event(index + 1, `Insert: ${tag.name}.`)),
  );
  expect(new Set(told(claims(many), seen))).toEqual(new Set(['tag confirmed']));
});
