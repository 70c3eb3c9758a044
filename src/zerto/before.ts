import type { ProxyError } from '../domain/errors.js';
import type { Before } from '../domain/ports.js';
import type { Vpg } from '../domain/target.js';
import { quote } from '../domain/text.js';
import type { ZvmClient } from './client.js';
import { statusOf } from './failure.js';
import { notPinned } from './not-pinned.js';
import type { Timing } from './profiles.js';
import type { VpgState } from './shapes.js';
import { readiness } from './vpg-state.js';

/** A journal that keeps less than this is worth a word. */
const SHORT_MINUTES = 60;

/** State and journal of a VPG, in two requests. Rejects where no tag would be listed in time. */
export async function readBefore(client: ZvmClient, vpg: Vpg, timing: Timing, signal: AbortSignal): Promise<Before> {
  const journal = client.checkpointStats(vpg.vpgIdentifier, signal);
  // Where the state refuses, nobody waits for the journal any more.
  journal.catch(() => undefined);
  const state = await client.vpg(vpg.vpgIdentifier, signal).catch((error: unknown) => {
    throw statusOf(error) === 404 ? gone(vpg, error) : error;
  });
  const { status, subStatus, rpoSeconds } = state;
  const ready = readiness(state);
  if (ready.kind === 'blocked') {
    throw notPinned(vpg, `takes no checkpoint now: ${ready.state}`, ready.remedy, { status, subStatus });
  }
  if (rpoSeconds !== undefined && rpoSeconds * 1000 > timing.timeoutMs + timing.gapMs)
    throw behind(vpg, rpoSeconds, timing);
  const { newest, oldest } = await journal;
  return { newest, oldest, keptMinutes: keptMinutes(state) };
}

/** What the journal keeps, where it is set up to keep little, or keeps little although it has had the time for more. */
function keptMinutes({ status, historyMinutes, configuredMinutes }: VpgState): number | undefined {
  const lacks = status !== undefined && status >= 2 && status <= 4;
  const kept =
    lacks && historyMinutes !== undefined
      ? Math.min(historyMinutes, configuredMinutes ?? historyMinutes)
      : configuredMinutes;
  return kept !== undefined && kept < SHORT_MINUTES ? kept : undefined;
}

function behind(vpg: Vpg, rpoSeconds: number, timing: Timing): ProxyError {
  return notPinned(
    vpg,
    `lies ${rpoSeconds} s behind its VMs, and a checkpoint is waited for ${Math.round(timing.timeoutMs / 1000)} s: it would not be listed in time`,
    'Wait until replication has caught up, then send the call again; if it stays so, the operator has to look at the VPG in Zerto.',
    { rpoSeconds },
  );
}

function gone(vpg: Vpg, cause: unknown): ProxyError {
  return notPinned(
    vpg,
    'is not there any more: it was deleted, or its VMs were failed over or moved',
    'Send the call again: its VMs are then looked up anew.',
    {},
    cause,
  );
}

/** The refusal for a platform that is none of those known here. */
export function notSupported(vpg: Vpg, platform: string): ProxyError {
  return notPinned(
    vpg,
    `protects VMs on ${quote(platform, 60)}, a platform on which no checkpoint can be pinned (supported are vSphere, Azure and AWS)`,
    'Ask a person whether the change may be made in another way.',
    { platform },
  );
}
