import { checkpointOf } from '../flr.js';
import { startTask } from '../insert.js';
import { listed } from '../journal.js';
import type { SimVpg, TaskType } from '../state.js';
import { ENTITY_TYPES, MEETING_SLA, PRIORITIES, STATUSES, SUB_STATUSES, subStatusNumber } from '../status.js';
import { checkpointRow } from './checkpoints.js';
import { type Exchange, type Handler, localVpgs, no, ok, textField, vpgOf } from './exchange.js';
import { nameMatches, vpgMatches } from './filters.js';
import { link, rpo, shared, vpgLink } from './links.js';
import { Moment } from './render.js';

export const listVpgs: Handler = (exchange) =>
  ok(
    localVpgs(exchange)
      .filter((vpg) => nameMatches(exchange, 'name', vpg.name) && vpgMatches(exchange, vpg))
      .map((vpg) => vpgRow(exchange, vpg)),
  );

export const getVpg: Handler = (exchange) => ok(vpgRow(exchange, vpgOf(exchange, exchange.params[0] ?? '')));

function vpgRow(exchange: Exchange, vpg: SimVpg) {
  const { state } = vpg;
  const sub = subStatusNumber(state.subStatus);
  const none = '00000000-0000-0000-0000-000000000000';
  return {
    VpgIdentifier: vpg.vpgIdentifier,
    VpgName: vpg.name,
    VpgDescription: null,
    VpgType: 'Remote',
    Status: STATUSES.indexOf(state.status),
    StatusDescription: state.status,
    SubStatus: sub,
    SubStatusDescription: SUB_STATUSES[sub] ?? null,
    AlertStatus: exchange.world.alerts.some(({ vpgs }) => vpgs.includes(vpg)) ? 1 : 0,
    ProgressPercentage: 0,
    ActualRPO: rpo(vpg, exchange.now),
    ConfiguredRpoSeconds: 300,
    VmsCount: vpg.vms.length,
    Priority: 1,
    LastTest: vpg.lastTest === undefined ? null : new Moment(vpg.lastTest),
    OrganizationName: vpg.organization,
    ...shared(exchange, vpg),
    ActiveProcessesApi: { RunningFailOverTestApi: state.testStage === undefined ? null : { Stage: state.testStage } },
    HistoryStatusApi: history(exchange, vpg),
    FailSafeHistory: null,
    ServiceProfile: null,
    ServiceProfileIdentifier: null,
    ServiceProfileName: '',
    BackupEnabled: false,
    Zorg: link(exchange, `zorgs/${none}`, none, 'ZorgApi'),
    IOPs: 0,
    ThroughputInMB: 0,
    ProvisionedStorageInMB: 20_480 * vpg.vms.length,
    UsedStorageInMB: 4_096 * vpg.vms.length,
    Link: vpgLink(exchange, vpg),
  };
}

function history(exchange: Exchange, vpg: SimVpg) {
  const earliest = listed(vpg, exchange.now)[0];
  return {
    ActualHistoryInMinutes: earliest === undefined ? 0 : Math.floor((exchange.now - earliest.at) / 60_000),
    ConfiguredHistoryInMinutes: vpg.historyMinutes,
    EarliestCheckpoint: earliest === undefined ? null : checkpointRow(earliest),
  };
}

/** A handler that changes a VPG and answers a task id. */
function operation(type: TaskType, change: (exchange: Exchange, vpg: SimVpg) => string | undefined): Handler {
  return (exchange) => {
    const vpg = vpgOf(exchange, exchange.params[0] ?? '');
    const problem = change(exchange, vpg);
    if (problem !== undefined) return no(409, problem);
    const { world, site, user } = exchange;
    return ok(startTask(world, { site, type, by: user, vpg, detail: vpg.name }, 1_000).taskIdentifier);
  };
}

export const pauseVpg = operation('PauseProtectionGroup', (_, vpg) => {
  vpg.state = { ...vpg.state, subStatus: 'ReplicationPausedUserInitiated' };
  return undefined;
});

export const resumeVpg = operation('ResumeProtectionGroup', (_, vpg) => {
  if (vpg.state.subStatus !== 'ReplicationPausedUserInitiated') return 'The VPG is not paused.';
  vpg.state = MEETING_SLA;
  return undefined;
});

/** A forced synchronisation keeps the journal; it takes ten seconds. */
export const forceSync = operation('ForceSync', ({ world, now }, vpg) => {
  vpg.state = { status: 'NotMeetingSLA', subStatus: 'DeltaSync' };
  world.clock.setTimer(now + 10_000, () => {
    if (vpg.state.subStatus === 'DeltaSync') vpg.state = MEETING_SLA;
  });
  return undefined;
});

/** A test runs beside replication: the journal goes on. */
export const startTest = operation('FailOverTest', (exchange, vpg) => {
  const identifier = textField(exchange.body, 'checkpointIdentifier');
  if (identifier !== undefined && checkpointOf(exchange.world, vpg, identifier) === undefined)
    return 'The checkpoint does not exist.';
  if (vpg.state.testStage !== undefined) return 'A failover test is running already.';
  vpg.state = { ...vpg.state, testStage: 'InTest' };
  return undefined;
});

export const stopTest = operation('StopFailOverTest', ({ now }, vpg) => {
  if (vpg.state.testStage === undefined) return 'No failover test is running.';
  vpg.state = { ...vpg.state, testStage: undefined };
  vpg.lastTest = now;
  return undefined;
});

export const statusNames: Handler = () => ok(STATUSES);
export const subStatusNames: Handler = () => ok(SUB_STATUSES);
export const entityTypeNames: Handler = () => ok(ENTITY_TYPES);
export const priorityNames: Handler = () => ok(PRIORITIES);
