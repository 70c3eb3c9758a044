import { type CallRecords, readCalls, receiptOf } from '../audit/calls.js';
import { OWN_SERVER } from '../domain/call.js';
import type { Receipt } from '../domain/receipt.js';
import type { Vm } from '../domain/target.js';
import type { Attempt, ClaimedMount, ClaimedTag, Claims } from '../reconcile/claims.js';

/** `isAsked`: whether a call is in the range that was asked for. `newest`: what the log says of later times is left out, in milliseconds. */
export interface LogQuestion {
  readonly isAsked: (call: CallRecords) => boolean;
  readonly vms: readonly Vm[];
  readonly newest: number;
}

/** Of the proxy's own tools and commands, those that tag and those that mount. */
const TAGS: ReadonlySet<string> = new Set([
  'zerto_create_tagged_checkpoint',
  'zerto_guard_before_mutate',
  'doctor --pin',
]);
const MOUNTS: ReadonlySet<string> = new Set([
  'zerto_recover_file',
  'recover',
  'drill',
  'coverage --probe',
  'doctor --pin',
]);

/**
 * What all calls of a directory claim, also those that were not asked for: they explain what the appliances show. A call is in the log
 * before its tag is asked for, so whoever reads the appliances first finds nothing there that the log cannot know of.
 */
export async function readClaims(dir: string, question: LogQuestion): Promise<Claims> {
  const reading = new Reading(question);
  for await (const call of readCalls(dir)) reading.take(call);
  return reading.claims();
}

class Reading {
  readonly #question: LogQuestion;
  readonly #tags = new Map<string, ClaimedTag>();
  readonly #receipts = new Map<string, Receipt>();
  readonly #attempts: Attempt[] = [];
  readonly #recoveries: CallRecords[] = [];
  readonly #counts = { calls: 0, waived: 0, observed: 0 };
  #oldest: number | undefined;

  constructor(question: LogQuestion) {
    this.#question = question;
  }

  take(call: CallRecords): void {
    const at = Date.parse(call.intent.at);
    this.#oldest = Math.min(at, this.#oldest ?? at);
    const receipt = receiptOf(call);
    const isAsked = this.#question.isAsked(call);
    if (isAsked) count(call, receipt, this.#counts);
    const named = tagsOf(receipt);
    if (receipt !== undefined) this.#receipts.set(receipt.id, receipt);
    for (const tag of named) addTag(this.#tags, tag, call.intent.call, isAsked && isSettled(call, this.#question));
    if (named.length === 0 && mayTag(call)) this.#attempts.push(attemptOf(call, this.#question.vms));
    if (isOwn(call, MOUNTS)) this.#recoveries.push(call);
  }

  /** A receipt may stand behind the recovery that names it. */
  claims(): Claims {
    const mounts = this.#recoveries.map((call) => mountOf(call, this.#receipts, this.#question));
    const tags = [...this.#tags.values()];
    return { tags, attempts: this.#attempts, mounts, oldest: this.#oldest, counts: this.#counts };
  }
}

/** Whether the receipt was on disk before the appliances were asked. */
function isSettled({ intent, permit, outcome }: CallRecords, { newest }: LogQuestion): boolean {
  return Date.parse((permit ?? outcome ?? intent).at) <= newest;
}

/** Whether a tag may have been asked for on the call's account: none was for one that was waived, observed or refused at once. */
function mayTag(call: CallRecords): boolean {
  const { server, effect, decision } = call.intent;
  if (server === OWN_SERVER) return isOwn(call, TAGS);
  return effect !== 'read_only' && (decision === 'pin_then_forward' || decision === 'ask');
}

function isOwn({ intent }: CallRecords, tools: ReadonlySet<string>): boolean {
  return intent.server === OWN_SERVER && tools.has(intent.tool);
}

function count(
  { intent }: CallRecords,
  receipt: Receipt | undefined,
  counts: { calls: number; waived: number; observed: number },
): void {
  counts.calls += 1;
  if (intent.effect === 'read_only') return;
  if ((receipt?.mode ?? intent.mode) === 'observe') counts.observed += 1;
  else if (receipt?.permit === 'waived' && tagsOf(receipt).length === 0) counts.waived += 1;
}

type NamedTag = Omit<ClaimedTag, 'calls' | 'asked'>;

function tagsOf(receipt: Receipt | undefined): readonly NamedTag[] {
  return (receipt?.vms ?? []).flatMap((vm) =>
    vm.vpgs.map(({ name, vpgIdentifier, site, tag }) => ({ ...tag, vpg: name, vpgIdentifier, site })),
  );
}

/** Calls that share a tag, and VMs of one VPG, claim it once. */
function addTag(tags: Map<string, ClaimedTag>, tag: NamedTag, call: string, asked: boolean): void {
  const key = JSON.stringify([tag.vpgIdentifier, tag.name, tag.checkpointIdentifier]);
  const known = tags.get(key) ?? { ...tag, calls: [], asked: false };
  const calls = known.calls.includes(call) ? known.calls : [...known.calls, call];
  tags.set(key, { ...known, calls, asked: known.asked || asked });
}

function attemptOf(call: CallRecords, vms: readonly Vm[]): Attempt {
  const { server, tool, agent, targets, hosts } = call.intent;
  const named = vmsOf(hosts, vms);
  return {
    ...spanOf(call),
    vpgs: new Set([
      ...targets.flatMap((target) => target.vpgs.map(({ vpgIdentifier }) => vpgIdentifier)),
      ...vpgsOf(named),
    ]),
    agent,
    vms: [...targets.map(({ vm }) => vm), ...named.map(({ name }) => name)],
    action: server === OWN_SERVER ? undefined : `${server} ${tool}`,
  };
}

function mountOf(call: CallRecords, receipts: ReadonlyMap<string, Receipt>, question: LogQuestion): ClaimedMount {
  const { intent, outcome } = call;
  const { receipt: id, vm } = intent.arguments;
  const receipt = typeof id === 'string' ? receipts.get(id) : undefined;
  const words = [vm, outcome?.recovered?.vmIdentifier].filter((word) => typeof word === 'string');
  return {
    ...spanOf(call),
    vpgs: new Set([
      ...tagsOf(receipt).map(({ vpgIdentifier }) => vpgIdentifier),
      ...vpgsOf(vmsOf([...words, ...intent.hosts], question.vms)),
    ]),
    at: intent.at,
    tool: intent.tool,
    gaveBytes: outcome?.recovered !== undefined,
    asked: question.isAsked(call) && Date.parse((outcome ?? intent).at) <= question.newest,
  };
}

/** Of a call without an outcome it is not known when it ended. */
function spanOf({ intent, permit, outcome }: CallRecords): { call: string; from: number; to: number } {
  return { call: intent.call, from: Date.parse(intent.at), to: Date.parse((outcome ?? permit ?? intent).at) };
}

function vmsOf(words: readonly string[], vms: readonly Vm[]): readonly Vm[] {
  const wanted = new Set(words.map((word) => word.toLowerCase()));
  return vms.filter(({ name, vmIdentifier }) => [name, vmIdentifier].some((each) => wanted.has(each.toLowerCase())));
}

function vpgsOf(vms: readonly Vm[]): readonly string[] {
  return vms.flatMap((vm) => vm.vpgs.map(({ vpgIdentifier }) => vpgIdentifier));
}
