import { mountBlocked } from '../flr.js';
import { listed } from '../journal.js';
import type { SimCheckpoint } from '../state.js';
import { STATUSES, subStatusNumber } from '../status.js';
import { between, checkpointRow } from './checkpoints.js';
import { type Exchange, type Handler, matches, ok, type Reply, type Row, rowOf, rows } from './exchange.js';
import { nameMatches, vpgMatches } from './filters.js';
import { link, rpo, shared } from './links.js';

/** Rows of both directions, one for each VM in each VPG. */
export const listVms: Handler = (exchange) =>
  ok(
    rows(exchange)
      .filter((row) => passes(exchange, row))
      .map((row) => vmRow(exchange, row)),
  );

/** One VM; with several VPGs the query has to name one. */
export const getVm: Handler = (exchange) =>
  ok(vmRow(exchange, rowOf(exchange, exchange.params[0] ?? '', exchange.query('vpgIdentifier'))));

/** Checkpoints of a VM, and whether each can be mounted here. */
export const pointsInTime: Handler = (exchange) => {
  const row = rowOf(exchange, exchange.params[0] ?? '', exchange.query('vpgIdentifier'));
  return ok(between(exchange, listed(row.vpg, exchange.now)).map((checkpoint) => point(exchange, row, checkpoint)));
};

export const pointsInTimeStats: Handler = (exchange): Reply => {
  const row = rowOf(exchange, exchange.params[0] ?? '', exchange.query('vpgIdentifier'));
  const points = listed(row.vpg, exchange.now);
  const [first, last] = [points[0], points.at(-1)];
  return ok({ Earliest: first ? point(exchange, row, first) : null, Latest: last ? point(exchange, row, last) : null });
};

function point(exchange: Exchange, row: Row, checkpoint: SimCheckpoint) {
  const reason = flrReason(exchange, row);
  return {
    Checkpoint: checkpointRow(checkpoint),
    RetentionSet: null,
    CanMount: { IsAllowed: reason === undefined, Reason: reason ?? '' },
  };
}

/** Why files cannot be restored here; undefined where they can. */
export function flrReason({ knobs, site }: Exchange, { vpg }: Pick<Row, 'vpg'>): string | undefined {
  return knobs.flrEnabled ? mountBlocked(vpg, site) : 'File level restore is disabled.';
}

function passes(exchange: Exchange, { vm, vpg }: Row): boolean {
  return (
    matches(exchange, 'vmIdentifier', vm.vmIdentifier) &&
    nameMatches(exchange, 'vmName', vm.name) &&
    nameMatches(exchange, 'vpgName', vpg.name) &&
    vpgMatches(exchange, vpg)
  );
}

function vmRow(exchange: Exchange, row: Row) {
  const { vm, vpg } = row;
  const self = link(
    exchange,
    `vms/${vm.vmIdentifier}?VpgIdentifier=${vpg.vpgIdentifier}`,
    `${vm.vmIdentifier}?VpgIdentifier=${vpg.vpgIdentifier}`,
    'VmApi',
  );
  return {
    VmIdentifier: vm.vmIdentifier,
    VmName: vm.name,
    VpgIdentifier: vpg.vpgIdentifier,
    VpgName: vpg.name,
    ActualRPO: rpo(vpg, exchange.now),
    Status: STATUSES.indexOf(vpg.state.status),
    SubStatus: subStatusNumber(vpg.state.subStatus),
    Priority: 1,
    OrganizationName: vpg.organization,
    ...shared(exchange, vpg),
    EnabledActions: { IsFlrEnabled: flrReason(exchange, row) === undefined },
    IsVmExists: true,
    LastTest: null,
    Volumes: vm.volumes.map((_, index) => ({ VmVolumeIdentifier: `scsi:0:${index}` })),
    Nics: vm.addresses.map((_, index) => ({ NicIdentifier: `nic-${index}` })),
    ...guest(vm),
    RecoveryHostIdentifier: null,
    RecoveryHostName: null,
    HardwareVersion: 'vmx-19',
    ProvisionedStorageInMB: 20_480,
    UsedStorageInMB: 4_096,
    CpuCoresNum: 2,
    MemorySizeInMB: 4_096,
    JournalUsedStorageMb: Math.ceil(vpg.journal.reduce((sum, { bytes }) => sum + bytes, 0) / 1_048_576),
    JournalHardLimit: { LimitType: 1, LimitValue: 153_600 },
    JournalWarningThreshold: { LimitType: 1, LimitValue: 115_200 },
    IOPs: 0,
    ThroughputInMB: 0,
    OutgoingBandWidthInMbps: 0,
    PlatformInformation: null,
    Link: { ...self, vpg_identifier: vpg.vpgIdentifier, instance_identifier: null },
  };
}

/** What the hypervisor tells of a VM, protected or not. */
export function guest(vm: Row['vm']) {
  return {
    GuestOs: vm.guestOs,
    VmNetworkInformation: {
      NetworkAdapters: vm.addresses.map((address, index) => ({
        DisplayName: `Network adapter ${index + 1}`,
        NetworkIdentifier: 'network-1',
        IpAddresses: [address],
      })),
    },
    IsAgentInstalled: false,
    OwningHostIdentifier: 'host-1',
    OwningHostName: 'simulated-host-1',
    OwningDatastoreIdentifier: 'datastore-1',
    OwningDatastoreName: 'simulated-datastore-1',
  };
}
