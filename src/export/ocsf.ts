import type { CallFacts } from './calls.js';
import { objects } from './calls.js';
import { type Exported, type Level, levelOf, sentenceOf, textAt } from './records.js';
import type { JsonObject } from './spool.js';

/** The release of the schema that the events follow. */
const OCSF_VERSION = '1.8.0';
const SEVERITY: Readonly<Record<Level, number>> = { info: 1, warn: 3, error: 4 };
const UNKNOWN = 0;
const OTHER = 99;
const SUCCESS = 1;
const FAILURE = 2;

/**
 * A record as an event of OCSF: API Activity (6003) for the records of a call, Application Lifecycle (6002) for those of a
 * process. The record's own members stand under `unmapped`.
 */
export function ocsfEvent(exported: Exported, version: string): JsonObject {
  const isCall = ['intent', 'permit', 'outcome'].includes(exported.kind);
  return isCall ? callEvent(exported, version) : processEvent(exported, version);
}

function callEvent(exported: Exported, version: string): JsonObject {
  const { record, call } = exported;
  const status = statusOf(exported);
  const receipt = receiptOf(record);
  return {
    ...base(exported, version, 6003, 'API Activity', activityOf(call)),
    ...status,
    ...(call !== undefined && { start_time: Date.parse(call.at) }),
    ...actionOf(exported),
    actor: {
      app_name: call?.agent || 'unknown',
      ...(call !== undefined && { session: { uid: call.session } }),
    },
    api: {
      operation: 'tools/call',
      service: { name: call?.server || 'unknown' },
      request: { uid: textAt(record, 'call') ?? '', data: requestOf(exported) },
      ...responseOf(record),
    },
    src_endpoint: { name: call?.agent || 'unknown' },
    ...(call !== undefined && { dst_endpoint: { svc_name: call.server } }),
    ...(call !== undefined && { resources: resourcesOf(call, receipt) }),
    ...(call?.trace !== undefined && { trace: { uid: call.trace.traceId } }),
  };
}

function processEvent(exported: Exported, version: string): JsonObject {
  const activity = { start: 3, end: 4 }[exported.kind] ?? OTHER;
  return {
    ...base(exported, version, 6002, 'Application Lifecycle', activity),
    ...(activity === OTHER && { activity_name: exported.kind }),
    app: { name: 'zerto-rewind-proxy', vendor_name: 'zerto-rewind-proxy', version },
  };
}

function base(exported: Exported, version: string, classId: number, className: string, activity: number): JsonObject {
  const { id, at, chain, seq, record, call } = exported;
  const correlation = textAt(record, 'call');
  return {
    category_uid: 6,
    category_name: 'Application Activity',
    class_uid: classId,
    class_name: className,
    activity_id: activity,
    type_uid: classId * 100 + activity,
    time: Date.parse(at),
    severity_id: SEVERITY[levelOf(exported)],
    message: sentenceOf(exported),
    metadata: {
      version: OCSF_VERSION,
      uid: id,
      ...(correlation !== undefined && { correlation_uid: correlation }),
      log_name: 'audit',
      log_provider: 'zerto-rewind-proxy',
      event_code: exported.kind,
      original_time: at,
      sequence: seq,
      product: { name: 'zerto-rewind-proxy', vendor_name: 'zerto-rewind-proxy', version },
      profiles: classId === 6003 ? ['security_control', ...(call?.trace === undefined ? [] : ['trace'])] : [],
    },
    unmapped: { zerto: { ...record, chain } },
  };
}

/** What surely changes is an update; what only reads a read. Creating and deleting are not told apart. */
function activityOf(call: CallFacts | undefined): number {
  return { read_only: 2, mutating: 3 }[call?.effect ?? ''] ?? UNKNOWN;
}

function statusOf({ kind, record }: Exported): JsonObject {
  if (kind !== 'outcome') return { status_id: UNKNOWN };
  const outcome = textAt(record, 'outcome');
  const id = outcome === 'forwarded' ? (record['result'] === 'error' ? FAILURE : SUCCESS) : FAILURE;
  const reason = textAt(record, 'reason');
  return {
    status_id: outcome === 'outcome_unknown' ? UNKNOWN : id,
    status_code: textAt(record, 'code') ?? outcome ?? '',
    ...(reason !== undefined && { status_detail: reason }),
  };
}

/** What the proxy did with the call: 1 allowed, 2 denied, 3 observed; disposition 18 is tagged, 25 rejected, 2 blocked. */
function actionOf({ kind, record, call }: Exported): JsonObject {
  const outcome = textAt(record, 'outcome');
  if (outcome === 'refused') return { action_id: 2, disposition_id: 25 };
  if (outcome === 'not_sent') return { action_id: 2, disposition_id: 2 };
  const receipt = receiptOf(record);
  if (receipt?.['mode'] === 'observe') return { action_id: 3, disposition_id: 17 };
  const pinned = receipt?.['permit'] === 'pinned';
  if (kind === 'intent') return call?.decision === 'refuse' ? { action_id: 2, disposition_id: 25 } : { action_id: 0 };
  return { action_id: 1, disposition_id: pinned ? 18 : 1 };
}

function requestOf({ kind, record, call }: Exported): JsonObject {
  const tool = call?.tool ?? '';
  return kind === 'intent' ? { tool, arguments: record['arguments'] ?? {} } : { tool };
}

function responseOf(record: JsonObject): JsonObject {
  const code = textAt(record, 'code');
  if (code === undefined) return {};
  const reason = textAt(record, 'reason');
  return { response: { error: code, ...(reason !== undefined && { error_message: reason }) } };
}

/** Each VM that the call is for, with the tags that were pinned on it; a host that led to no VM by its name. */
function resourcesOf({ targets }: CallFacts, receipt: JsonObject | undefined): readonly JsonObject[] {
  const tagged = objects(receipt?.['vms']);
  return targets.map(({ host, vm, vmIdentifier }) => {
    const found = tagged.find((each) => each['vmIdentifier'] === vmIdentifier && vmIdentifier !== undefined);
    const tags = objects(found?.['vpgs']).map((vpg) => textAt((vpg['tag'] ?? {}) as JsonObject, 'name') ?? '');
    return {
      name: vm ?? host ?? 'unknown',
      type: vm === undefined ? 'host' : 'virtual machine',
      role_id: 1,
      ...(vmIdentifier !== undefined && { uid: vmIdentifier }),
      ...(host !== undefined && /^[A-Za-z0-9._-]{1,253}$/.test(host) && { hostname: host }),
      ...(tags.length > 0 && { labels: tags }),
    };
  });
}

function receiptOf(record: JsonObject): JsonObject | undefined {
  const receipt = record['receipt'];
  return typeof receipt === 'object' && receipt !== null ? (receipt as JsonObject) : undefined;
}
