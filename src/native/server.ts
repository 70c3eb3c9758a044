import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { ProxyError } from '../domain/errors.js';
import { type NativeAnswer, NativeRefusal, refusal } from './answer.js';
import type { Caller, NativeAuditEntry, NativeDeps, NativeOutcome } from './deps.js';
import { type NativeTool, nativeTools } from './tools.js';

/** The proxy's own tools, in process. */
export interface Native {
  /** Each tool as `tools/list` gives it, as JSON text. */
  tools(): readonly { readonly name: string; readonly json: string }[];
  /** Never rejects: whatever goes wrong is an `isError` result. */
  call(name: string, args: unknown, caller: Caller, signal: AbortSignal): Promise<CallToolResult>;
  /** Cancels the calls that still run and resolves when they are over. */
  close(): Promise<void>;
}

/** Builds the native tools over their ports; each call is audited, with its intent before and its outcome after. */
export function createNative(deps: NativeDeps): Native {
  const tools = nativeTools(deps.recovery);
  const listed = tools.map(({ run: _, ...tool }) => ({ name: tool.name, json: JSON.stringify(tool) }));
  const stop = new AbortController();
  const running = new Set<Promise<unknown>>();
  return {
    tools: () => listed,
    call: (name, args, caller, signal) => {
      const tool = tools.find((each) => each.name === name);
      if (tool === undefined)
        return Promise.resolve(refusal('INVALID_ARGUMENTS', 'There is no such native tool.').result);
      const over = audited(tool, args, deps, caller, AbortSignal.any([signal, stop.signal]));
      running.add(over);
      return over.finally(() => running.delete(over));
    },
    close: async () => {
      stop.abort(new ProxyError('CALL_CANCELLED', 'The proxy is shutting down.'));
      await Promise.allSettled(running);
    },
  };
}

async function audited(
  tool: NativeTool,
  raw: unknown,
  deps: NativeDeps,
  caller: Caller,
  signal: AbortSignal,
): Promise<CallToolResult> {
  let entry: NativeAuditEntry;
  try {
    signal.throwIfAborted();
    const shown = typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? { ...raw } : {};
    const readOnly = tool.annotations.readOnlyHint === true;
    entry = await deps.audit({ name: tool.name, arguments: shown, readOnly }, caller, signal);
  } catch (error) {
    return faultAnswer(error, signal, deps, tool.name).result;
  }
  const { result, outcome } = await answerOf(tool, raw, deps, caller, signal);
  await close(entry, outcome, deps, tool.name);
  return result;
}

async function answerOf(
  tool: NativeTool,
  raw: unknown,
  deps: NativeDeps,
  caller: Caller,
  signal: AbortSignal,
): Promise<NativeAnswer> {
  try {
    signal.throwIfAborted();
    const call = tool.run(raw ?? {}, deps, caller, signal);
    return call.kind === 'wrong' ? refusal('INVALID_ARGUMENTS', `${call.why}. Nothing was done.`) : await call.answer();
  } catch (error) {
    return faultAnswer(error, signal, deps, tool.name);
  }
}

/** A fault of no known kind shows nothing of itself to the agent. */
function faultAnswer(error: unknown, signal: AbortSignal, deps: NativeDeps, tool: string): NativeAnswer {
  if (signal.aborted) return refusal('CALL_CANCELLED', 'The call was cancelled.');
  if (error instanceof NativeRefusal) return refusal(error.code, error.message);
  if (error instanceof ProxyError) {
    deps.log.warn({ tool, code: error.code, details: error.details }, 'a native tool refused');
    return refusal(error.code, error.message);
  }
  deps.log.error({ tool, error: String(error) }, 'a native tool failed');
  return refusal('PROXY_FAULT', 'The proxy failed on its own; its operator finds the cause in its log.');
}

/** An outcome that cannot be written withholds no answer; the audit log itself stops the next change. */
async function close(entry: NativeAuditEntry, outcome: NativeOutcome, deps: NativeDeps, tool: string): Promise<void> {
  try {
    await entry.close(outcome);
  } catch (error) {
    deps.log.error({ tool, error: String(error) }, 'the outcome of a native call could not be recorded');
  }
}
