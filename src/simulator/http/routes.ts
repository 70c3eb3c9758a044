import { checkpointStats, insertCheckpoint, listCheckpoints } from './checkpoints.js';
import { download, fetchDownload } from './downloads.js';
import { getEvent, listAlerts, listEvents } from './events.js';
import type { Handler } from './exchange.js';
import { browseFlr, deleteFlr, getFlr, listFlrs, mountFlr } from './flrs.js';
import {
  dateArgument,
  license,
  localSite,
  peerSite,
  peerSites,
  serverLocal,
  serverUtc,
  unprotectedVms,
  virtualizationSite,
  virtualizationSites,
} from './sites.js';
import { getTask, listTasks, taskTypeNames } from './tasks.js';
import { getVm, listVms, pointsInTime, pointsInTimeStats } from './vms.js';
import * as vpgs from './vpgs.js';

/** Every operation, by method and path below /v1 in lower case; `*` is a parameter. The first that fits is taken. */
const ROUTES: Readonly<Record<string, Handler>> = {
  'get vms': listVms,
  'get vms/*': getVm,
  'get vms/*/pointsintime': pointsInTime,
  'get vms/*/pointsintime/stats': pointsInTimeStats,
  'get vpgs': vpgs.listVpgs,
  'get vpgs/statuses': vpgs.statusNames,
  'get vpgs/substatuses': vpgs.subStatusNames,
  'get vpgs/entitytypes': vpgs.entityTypeNames,
  'get vpgs/priorities': vpgs.priorityNames,
  'get vpgs/*': vpgs.getVpg,
  'get vpgs/*/checkpoints': listCheckpoints,
  'get vpgs/*/checkpoints/stats': checkpointStats,
  'post vpgs/*/checkpoints': insertCheckpoint,
  'post vpgs/*/pause': vpgs.pauseVpg,
  'post vpgs/*/resume': vpgs.resumeVpg,
  'post vpgs/*/forcesync': vpgs.forceSync,
  'post vpgs/*/failovertest': vpgs.startTest,
  'post vpgs/*/failoverteststop': vpgs.stopTest,
  'get tasks': listTasks,
  'get tasks/types': taskTypeNames,
  'get tasks/*': getTask,
  'get flrs': listFlrs,
  'post flrs': mountFlr,
  'get flrs/*': getFlr,
  'delete flrs/*': deleteFlr,
  'post flrs/*/browse': browseFlr,
  'post flrs/*/download': download,
  'get downloads/*': fetchDownload,
  'get localsite': localSite,
  'get peersites': peerSites,
  'get peersites/*': peerSite,
  'get virtualizationsites': virtualizationSites,
  'get virtualizationsites/*': virtualizationSite,
  'get virtualizationsites/*/vms': unprotectedVms,
  'get serverdatetime/serverdatetimeutc': serverUtc,
  'get serverdatetime/serverdatetimelocal': serverLocal,
  'get serverdatetime/datetimeargument': dateArgument,
  'get events': listEvents,
  'get events/*': getEvent,
  'get alerts': listAlerts,
  'get license': license,
};

const TABLE = Object.entries(ROUTES).map(([route, handler]) => {
  const [method = '', path = ''] = route.split(' ');
  return { method, segments: path.split('/'), handler };
});

export type Route =
  | { readonly kind: 'found'; readonly handler: Handler; readonly params: readonly string[] }
  | { readonly kind: 'wrong_method' }
  | { readonly kind: 'unknown' };

/** Finds the operation of a path such as `/V1/Vpgs/…`, in any case, with or without a last slash. */
export function route(method: string, path: string): Route {
  const segments = path
    .replace(/^\/v1\//i, '')
    .replace(/\/$/, '')
    .split('/');
  const fitting = TABLE.filter((entry) => fits(entry.segments, segments));
  const entry = fitting.find((candidate) => candidate.method === method.toLowerCase());
  if (entry === undefined) return { kind: fitting.length > 0 ? 'wrong_method' : 'unknown' };
  const params = segments.filter((_, index) => entry.segments[index] === '*').map(decode);
  return { kind: 'found', handler: entry.handler, params };
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) => part === '*' || part === segments[index]?.toLowerCase())
  );
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
