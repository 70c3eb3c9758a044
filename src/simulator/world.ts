import { buildSites, buildVms, buildVpg, known, vmIdentifierAt } from './build.js';
import { realClock } from './clock.js';
import { createStore } from './content.js';
import { insertTag } from './insert.js';
import { addCheckpoint, dropJournal, raiseAlert, startTicker } from './journal.js';
import type { WorldOptions } from './options.js';
import type { SimAlert, SimTask, SimVm, SimVpg, Site, State } from './state.js';
import { MEETING_SLA, type VpgStatus } from './status.js';
import { guestPath } from './tree.js';

/** Sites, VMs, VPGs and journals on one clock, and what a test may do to them. VMs go by key, VPGs by name. */
export interface World extends State {
  vm(key: string): SimVm;
  vpg(name: string): SimVpg;
  site(name: string): Site;
  /** The guest writes a file; parents are made. Paths as in the guest: `/etc/hosts`, `C:\\app\\web.config`. */
  write(vm: string, path: string, bytes: Uint8Array | string): void;
  link(vm: string, path: string, target: string): void;
  remove(vm: string, path: string): void;
  /** What the guest reads now, its cache included. */
  read(vm: string, path: string): Buffer | undefined;
  /** The guest's cache is on its disk when this returns. */
  sync(vm: string): void;
  /** Counts bytes against the VPG's journal with the next checkpoint. */
  churn(vpg: string, bytes: number): void;
  /** Replaces members of the VPG's visible state. */
  setState(vpg: string, state: Partial<VpgStatus>): void;
  /** Takes an automatic checkpoint now, whatever the state. */
  checkpoint(vpg: string): void;
  /** Someone else tags the VPG at its protected site. */
  tag(vpg: string, name: string, by?: string): SimTask;
  /** Every checkpoint is gone; the VPG syncs for `ms`, then takes its first checkpoint. */
  resync(vpg: string, ms?: number): void;
  /** The VMs now run at the recovery site under new identifiers, protected back to where they came from; then as `resync`. */
  failover(vpg: string, ms?: number): void;
  /** With a reason no file can be restored from the VPG; without one it can. */
  blockFlr(vpg: string, reason?: string): void;
  raiseAlert(vpg: string, alert: Pick<SimAlert, 'level' | 'helpIdentifier' | 'description'>): void;
  /** Stops the clockwork and removes temporary files. */
  close(): void;
}

/** A running world: each journal holds its first checkpoints already. */
export function createWorld(options: WorldOptions): World {
  const clock = options.clock ?? realClock();
  const store = createStore();
  const sites = buildSites(options);
  const vms = buildVms(options, sites, clock, store);
  const vpgs = options.vpgs.map((vpg) => buildVpg(vpg, options, sites, vms));
  const state: State = { clock, store, sites, vms, vpgs, tasks: [], sessions: [], alerts: [], closed: false };
  vpgs.forEach((vpg, index) => {
    const count = Math.max(1, options.vpgs[index]?.startsWith ?? 3);
    for (let left = count - 1; left >= 0; left -= 1) addCheckpoint(state, vpg, clock.now() - left * vpg.timings.gapMs);
    startTicker(state, vpg);
  });
  return Object.assign(state, actions(state));
}

function actions(state: State): Omit<World, keyof State> {
  const vm = (key: string) => known('vm', key, state.vms, (value) => value.key);
  const vpg = (name: string) => known('vpg', name, state.vpgs, (value) => value.name);
  const at = (key: string, path: string) => guestPath(path, vm(key).windows);
  const change = (name: string, part: Partial<VpgStatus>) => {
    vpg(name).state = { ...vpg(name).state, ...part };
  };

  function resync(name: string, ms = 0): void {
    const group = vpg(name);
    dropJournal(group);
    const { epoch } = group;
    group.state = { status: 'NotMeetingSLA', subStatus: 'DeltaSync' };
    const finish = (): void => {
      if (state.closed || epoch !== group.epoch) return;
      group.state = MEETING_SLA;
      addCheckpoint(state, group, state.clock.now());
    };
    if (ms === 0) finish();
    else state.clock.setTimer(state.clock.now() + ms, finish);
  }

  function failover(name: string, ms = 0): void {
    const group = vpg(name);
    const { protectedSite, recoverySite } = group;
    group.protectedSite = recoverySite;
    group.recoverySite = protectedSite;
    for (const member of group.vms) {
      member.site = recoverySite;
      member.vmIdentifier = vmIdentifierAt(recoverySite, `${member.key}, after ${member.vmIdentifier}`);
    }
    resync(name, ms);
  }

  return {
    vm,
    vpg,
    site: (name) => known('site', name, state.sites, (value) => value.name),
    write: (key, path, bytes) => vm(key).disk.write(at(key, path), Buffer.from(bytes)),
    link: (key, path, target) => vm(key).disk.link(at(key, path), target),
    remove: (key, path) => vm(key).disk.remove(at(key, path)),
    read: (key, path) => vm(key).disk.read(at(key, path)),
    sync: (key) => vm(key).disk.sync(),
    churn: (name, bytes) => {
      vpg(name).churn += bytes;
    },
    setState: change,
    checkpoint: (name) => addCheckpoint(state, vpg(name), state.clock.now()),
    tag: (name, tag, by = 'administrator') =>
      insertTag(state, { vpg: vpg(name), site: vpg(name).protectedSite, tag, by }),
    resync,
    failover,
    blockFlr: (name, reason) => {
      vpg(name).flrBlocked = reason;
    },
    raiseAlert: (name, alert) => raiseAlert(state, vpg(name), { ...alert, turnedOn: state.clock.now() }),
    close: () => {
      state.closed = true;
      state.store.close();
    },
  };
}
