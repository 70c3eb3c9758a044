import { randomUUID } from 'node:crypto';
import type { SimAlert, SimCheckpoint, SimVpg, State } from './state.js';
import { blockedReason } from './status.js';
import { changedBytes, type FolderNode } from './tree.js';

/** Takes an image of every VM of the VPG and appends it; what is older or larger than the journal may be is dropped. */
export function addCheckpoint(
  state: State,
  vpg: SimVpg,
  at: number,
  tag?: { readonly name: string; readonly listedAt: number },
): void {
  const before = vpg.journal.at(-1)?.images;
  const images = new Map<string, FolderNode>(vpg.vms.map((vm) => [vm.key, vm.disk.image()]));
  let bytes = before === undefined ? 0 : vpg.churn;
  if (before !== undefined) for (const [key, image] of images) bytes += changedBytes(before.get(key), image);
  vpg.churn = 0;
  vpg.journal.push({ id: vpg.nextId, at, tag: tag?.name, listedAt: tag?.listedAt ?? at, images, bytes });
  vpg.nextId += 1;
  evict(state, vpg, at);
}

function evict(state: State, vpg: SimVpg, now: number): void {
  const oldest = now - vpg.historyMinutes * 60_000;
  let bytes = vpg.journal.reduce((sum, checkpoint) => sum + checkpoint.bytes, 0);
  let drop = 0;
  while (drop < vpg.journal.length - 1) {
    const checkpoint = vpg.journal[drop];
    if (checkpoint === undefined || (checkpoint.at >= oldest && bytes <= vpg.journalLimitBytes)) break;
    if (checkpoint.at >= oldest) raiseFull(state, vpg, now);
    bytes -= checkpoint.bytes;
    drop += 1;
  }
  if (drop > 0) vpg.journal = vpg.journal.slice(drop);
}

function raiseFull(state: State, vpg: SimVpg, now: number): void {
  if (state.alerts.some((alert) => alert.helpIdentifier === 'VPG0004' && alert.vpgs.includes(vpg))) return;
  const description = `The journal of VPG ${vpg.name} reached its hard limit; its history is shorter than configured.`;
  raiseAlert(state, vpg, { level: 'Warning', helpIdentifier: 'VPG0004', description, turnedOn: now });
}

/** Adds an alert on a VPG at its protected site. */
export function raiseAlert(
  state: State,
  vpg: SimVpg,
  alert: Pick<SimAlert, 'level' | 'helpIdentifier' | 'description' | 'turnedOn'>,
): void {
  state.alerts.push({ ...alert, alertIdentifier: randomUUID(), site: vpg.protectedSite, entity: 'Vpg', vpgs: [vpg] });
}

/** What the appliance shows of a journal: a tag stays hidden until it is listed. */
export function listed(vpg: SimVpg, now: number): SimCheckpoint[] {
  return vpg.journal.filter((checkpoint) => checkpoint.listedAt <= now);
}

/** Empties the journal, tags included, as a change of the VPG that leads to a re-synchronisation does. */
export function dropJournal(vpg: SimVpg): void {
  vpg.journal = [];
  vpg.epoch += 1;
}

/** Starts the automatic checkpoints of a VPG. After a pause of the machine it goes on from now. */
export function startTicker(state: State, vpg: SimVpg): void {
  const tick = (due: number): void => {
    state.clock.setTimer(due, () => {
      if (state.closed) return;
      const now = Math.max(due, state.clock.now());
      if (blockedReason(vpg.state) === undefined) addCheckpoint(state, vpg, now);
      const next = due + vpg.timings.gapMs;
      tick(next > now ? next : now + vpg.timings.gapMs);
    });
  };
  tick(state.clock.now() + vpg.timings.gapMs);
}
