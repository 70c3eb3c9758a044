import { createTraceState, type SpanContext, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import type { CallFacts } from './calls.js';
import { callAttributes, errorOf, resultAttributes } from './otlp-attributes.js';
import { hrTime, type Scope } from './otlp-resource.js';
import { type Exported, textAt } from './records.js';
import { spanIdOf, traceIdOf } from './span-ids.js';
import type { JsonObject } from './spool.js';

interface Draft {
  readonly role: 'server' | 'guard' | 'client';
  readonly name: string;
  readonly kind: SpanKind;
  readonly from: string;
  readonly to: string;
  readonly parent?: SpanContext | undefined;
}

/**
 * The spans of a call, once its outcome is recorded: what the client asked for, the time that the guard held it, and what the
 * wrapped server did. Their times are those of the records. A caller whose trace is not sampled gets none.
 */
export function spansOf(exported: Exported, resource: Resource, scope: Scope): readonly ReadableSpan[] {
  const { call, kind, record, at } = exported;
  if (kind === 'test') return [testSpan(exported, resource, scope)];
  if (kind !== 'outcome' || call === undefined || (call.trace !== undefined && (call.trace.flags & 1) === 0)) return [];
  const server = { traceId: traceIdOf(call), spanId: spanIdOf(call, 'server'), traceFlags: 1 };
  const sentAt = sentAtOf(call, record);
  const name = `tools/call ${call.tool}`;
  const drafts: readonly Draft[] = [
    { role: 'server', name, kind: SpanKind.SERVER, from: call.at, to: at, parent: remoteParent(call) },
    ...(call.effect === 'read_only' || call.native
      ? []
      : [
          {
            role: 'guard',
            name: 'zerto.guard',
            kind: SpanKind.INTERNAL,
            from: call.at,
            to: sentAt ?? at,
            parent: server,
          } as const,
        ]),
    ...(sentAt === undefined
      ? []
      : [{ role: 'client', name, kind: SpanKind.CLIENT, from: sentAt, to: at, parent: server } as const]),
  ];
  return drafts.map((draft) => callSpan(draft, exported, call, { resource, scope }));
}

/** When the call went out; undefined where it did not, or stayed in this process. */
function sentAtOf(call: CallFacts, record: JsonObject): string | undefined {
  const outcome = textAt(record, 'outcome');
  if (call.native || (outcome !== 'forwarded' && outcome !== 'outcome_unknown')) return undefined;
  const receipt = (record['receipt'] ?? {}) as JsonObject;
  return textAt(receipt, 'forwardedAt') ?? call.permittedAt ?? call.at;
}

/** What `audit export --test-event` sends. */
function testSpan({ id, at }: Exported, resource: Resource, scope: Scope): ReadableSpan {
  const draft = { role: 'server', name: 'zerto_rewind.test', kind: SpanKind.INTERNAL, from: at, to: at } as const;
  return span(draft, { id }, { attributes: { 'zerto_rewind.test': id }, resource, scope });
}

function callSpan(
  draft: Draft,
  exported: Exported,
  call: CallFacts,
  { resource, scope }: { readonly resource: Resource; readonly scope: Scope },
): ReadableSpan {
  const error = draft.role === 'guard' && exported.record['result'] === 'error' ? undefined : errorOf(exported.record);
  return span(draft, call, { attributes: attributesOf(draft, exported, call, error), error, resource, scope });
}

interface About {
  readonly attributes: ReadableSpan['attributes'];
  readonly error?: string | undefined;
  readonly resource: Resource;
  readonly scope: Scope;
}

function span(
  draft: Draft,
  call: Pick<CallFacts, 'id' | 'trace'>,
  { attributes, error, resource, scope }: About,
): ReadableSpan {
  const [startTime, endTime] = [hrTime(draft.from), hrTime(draft.to)];
  const ms = Math.max(0, Date.parse(draft.to) - Date.parse(draft.from));
  const context: SpanContext = {
    traceId: traceIdOf(call),
    spanId: spanIdOf(call, draft.role),
    traceFlags: 1,
    ...(call.trace?.state !== undefined && { traceState: createTraceState(call.trace.state) }),
  };
  return {
    name: draft.name,
    kind: draft.kind,
    spanContext: () => context,
    ...(draft.parent !== undefined && { parentSpanContext: draft.parent }),
    startTime,
    endTime: ms === 0 ? startTime : endTime,
    duration: [Math.floor(ms / 1000), (ms % 1000) * 1_000_000],
    status: error === undefined ? { code: SpanStatusCode.UNSET } : { code: SpanStatusCode.ERROR, message: error },
    attributes,
    links: [],
    events: [],
    ended: true,
    resource,
    instrumentationScope: scope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

function attributesOf(
  { role }: Draft,
  exported: Exported,
  call: CallFacts,
  error: string | undefined,
): ReadableSpan['attributes'] {
  const { 'error.type': _, ...result } = resultAttributes(exported);
  const all = { ...callAttributes(call), ...result, ...(error !== undefined && { 'error.type': error }) };
  if (role === 'server' && call.transport !== undefined) return { ...all, 'network.transport': call.transport };
  if (role === 'client') return all;
  return Object.fromEntries(Object.entries(all).filter(([key]) => !/^(?:mcp|gen_ai)\./.test(key)));
}

function remoteParent({ trace }: CallFacts): SpanContext | undefined {
  if (trace === undefined) return undefined;
  return { traceId: trace.traceId, spanId: trace.spanId, traceFlags: trace.flags, isRemote: true };
}
