import type { Checkpoint } from '../domain/receipt.js';
import {
  asDate,
  asList,
  asText,
  asWire,
  child,
  children,
  date,
  firstText,
  flag,
  hrefId,
  integer,
  linkId,
  optionalDate,
  optionalText,
  text,
  texts,
  type Wire,
} from './read.js';
import type {
  FlrItem,
  FlrSession,
  Journal,
  LocalSite,
  PeerSite,
  PointInTime,
  Task,
  UnprotectedVm,
  VmRow,
  VpgState,
  ZvmEvent,
} from './shapes.js';

export function readLocalSite(value: unknown): LocalSite {
  const wire = asWire(value, 'localsite');
  return {
    siteIdentifier: firstText('SiteIdentifier', optionalText(wire, 'SiteIdentifier'), linkId(wire, 'Link')),
    siteName: optionalText(wire, 'SiteName') ?? '',
    siteType: optionalText(wire, 'SiteType'),
    version: optionalText(wire, 'DisplayVersion') ?? optionalText(wire, 'Version'),
    replicatesToSelf: flag(wire, 'IsReplicationToSelfEnabled'),
  };
}

export function readPeerSites(value: unknown): PeerSite[] {
  return asList(value, 'peersites', (wire) => ({
    siteIdentifier: firstText('SiteIdentifier', optionalText(wire, 'SiteIdentifier'), linkId(wire, 'Link')),
    siteName: optionalText(wire, 'PeerSiteName') ?? '',
    siteType: optionalText(wire, 'SiteType'),
  }));
}

export function readVmRows(value: unknown): VmRow[] {
  return asList(value, 'vms', (wire) => {
    const link = child(wire, 'Link');
    const entities = child(wire, 'Entities');
    return {
      vmIdentifier: firstText('VmIdentifier', optionalText(wire, 'VmIdentifier'), link && hrefId(link)),
      vmName: text(wire, 'VmName'),
      vpgIdentifier: firstText(
        'VpgIdentifier',
        optionalText(wire, 'VpgIdentifier'),
        link && (optionalText(link, 'vpg_identifier') ?? vpgOfHref(link)),
      ),
      vpgName: text(wire, 'VpgName'),
      protectedSite: linkId(wire, 'ProtectedSite'),
      recoverySite: linkId(wire, 'RecoverySite'),
      protectedEntity: entities && integer(entities, 'Protected'),
      isFlrEnabled: flagOf(child(wire, 'EnabledActions'), 'IsFlrEnabled'),
      organization: optionalText(wire, 'OrganizationName'),
      status: integer(wire, 'Status'),
      subStatus: integer(wire, 'SubStatus'),
      addresses: readAddresses(wire),
    };
  });
}

export function readUnprotectedVms(siteIdentifier: string, value: unknown): UnprotectedVm[] {
  return asList(value, 'virtualizationsites/vms', (wire) => ({
    siteIdentifier,
    vmIdentifier: text(wire, 'VmIdentifier'),
    vmName: text(wire, 'VmName'),
    addresses: readAddresses(wire),
  }));
}

export function readSiteIds(value: unknown): string[] {
  return asList(value, 'virtualizationsites', (wire) =>
    firstText('SiteIdentifier', optionalText(wire, 'SiteIdentifier'), linkId(wire, 'Link')),
  );
}

export function readVpg(value: unknown): VpgState {
  const wire = asWire(value, 'vpg');
  const history = child(wire, 'HistoryStatusApi');
  const rpo = integer(wire, 'ActualRPO');
  return {
    vpgIdentifier: firstText('VpgIdentifier', optionalText(wire, 'VpgIdentifier'), linkId(wire, 'Link')),
    vpgName: text(wire, 'VpgName'),
    status: integer(wire, 'Status'),
    subStatus: integer(wire, 'SubStatus'),
    protectedSite: linkId(wire, 'ProtectedSite'),
    recoverySite: linkId(wire, 'RecoverySite'),
    historyMinutes: history && integer(history, 'ActualHistoryInMinutes'),
    configuredMinutes: history && integer(history, 'ConfiguredHistoryInMinutes'),
    rpoSeconds: rpo !== undefined && rpo >= 0 ? rpo : undefined,
  };
}

export function readCheckpoint(wire: Wire): Checkpoint {
  return {
    checkpointIdentifier: text(wire, 'CheckpointIdentifier'),
    timestamp: date(wire, 'TimeStamp'),
    tag: optionalText(wire, 'Tag'),
  };
}

export function readCheckpoints(value: unknown): Checkpoint[] {
  return asList(value, 'checkpoints', readCheckpoint);
}

export function readJournal(value: unknown): Journal {
  const wire = asWire(value ?? {}, 'checkpoints/stats');
  const [earliest, latest] = [child(wire, 'Earliest'), child(wire, 'Latest')];
  return { oldest: earliest && readCheckpoint(earliest), newest: latest && readCheckpoint(latest) };
}

export function readTask(value: unknown): Task {
  const wire = asWire(value, 'task');
  const status = child(wire, 'Status');
  return {
    taskIdentifier: firstText('TaskIdentifier', optionalText(wire, 'TaskIdentifier'), linkId(wire, 'Link')),
    type: optionalText(wire, 'Type'),
    state: status && integer(status, 'State'),
    completeReason: optionalText(wire, 'CompleteReason'),
  };
}

export function readPointsInTime(value: unknown): PointInTime[] {
  return asList(value, 'pointsInTime', (wire) => {
    const canMount = child(wire, 'CanMount');
    return {
      checkpoint: readCheckpoint(asWire(wire.get('checkpoint'), 'Checkpoint')),
      canMount: flagOf(canMount, 'IsAllowed'),
      reason: canMount && optionalText(canMount, 'Reason'),
    };
  });
}

const EVENT_TYPES: Readonly<Record<string, number>> = {
  InsertTaggedCP: 12,
  FlrJournalMount: 58,
  FlrJournalUnmount: 59,
};

/** A type is a number, or its name in the appliance's list of types. */
export function readEvents(value: unknown): ZvmEvent[] {
  return asList(value, 'events', (wire) => ({
    eventIdentifier: optionalText(wire, 'EventIdentifier') ?? linkId(wire, 'Link'),
    eventType: integer(wire, 'EventType') ?? EVENT_TYPES[optionalText(wire, 'EventType') ?? ''],
    description: optionalText(wire, 'Description') ?? '',
    occurredOn: date(wire, 'OccurredOn'),
    userName: optionalText(wire, 'UserName'),
    succeeded: flag(wire, 'EventCompletedSuccessfully'),
    vpgIdentifiers: children(child(wire, 'RelatedEntities'), 'Vpgs', (link) =>
      firstText('identifier', optionalText(link, 'identifier'), hrefId(link)),
    ),
  }));
}

export function readSessions(value: unknown): FlrSession[] {
  const list = Array.isArray(value) || value === null ? value : [value];
  return asList(list, 'flrs', (wire) => ({
    sessionIdentifier: firstText(
      'FlrSessionIdentifier',
      optionalText(wire, 'FlrSessionIdentifier'),
      linkId(wire, 'Link'),
    ),
    status: text(wire, 'FlrSessionStatus'),
    vmIdentifier: optionalText(wire, 'VmIdentifier'),
    vpgIdentifier: optionalText(wire, 'VpgIdentifier'),
    checkpointIdentifier: optionalText(wire, 'CheckpointIdentifier'),
    mountTime: optionalDate(wire, 'MountTime'),
    runningTasks: integer(wire, 'NumberOfRelatedRunningTasks'),
  }));
}

export function readItems(value: unknown): FlrItem[] {
  return children(asWire(value, 'browse'), 'PathItems', (wire) => {
    const download = child(wire, 'DownloadInformation');
    return {
      path: text(wire, 'Path'),
      type: optionalText(wire, 'Type') ?? '',
      browsable: flag(wire, 'IsBrowsable') ?? false,
      sizeInBytes: integer(wire, 'SizeInBytes'),
      lastWriteTime: optionalDate(wire, 'LastWriteTime'),
      downloadable: flagOf(download, 'IsDownloadable') ?? false,
      note: download && optionalText(download, 'AdditionalInformation'),
    };
  });
}

/** The answer of a POST: one JSON string, sometimes quoted once more. */
export function readString(value: unknown): string {
  return asText(value, 'the answer').replace(/^"(.*)"$/s, '$1');
}

export function readDate(value: unknown): Date {
  return new Date(asDate(value, 'the clock'));
}

function readAddresses(wire: Wire): string[] {
  const network = child(wire, 'VmNetworkInformation');
  return [...new Set(children(network, 'NetworkAdapters', (adapter) => texts(adapter, 'IpAddresses')).flat())];
}

function flagOf(wire: Wire | undefined, key: string): boolean | undefined {
  return wire && flag(wire, key);
}

function vpgOfHref(link: Wire): string | undefined {
  return /[?&]vpgIdentifier=([^&#]+)/i.exec(optionalText(link, 'href') ?? '')?.[1];
}
