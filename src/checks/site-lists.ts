import { ProxyError } from '../domain/errors.js';
import { quote, visible } from '../domain/text.js';
import { readiness } from '../zerto/vpg-state.js';
import { about, type Check } from './check.js';
import { oneLine } from './config-file.js';
import type { Site } from './site.js';

/** More VPGs are not asked one by one. */
const MOST = 200;

/** Reads the lists that the proxy lives by: VMs, VPGs and their journals, mounts. Nothing is changed. */
export async function listChecks(site: Site, signal: AbortSignal): Promise<readonly Check[]> {
  const { name, client } = site;
  const checks: Check[] = [];
  const attempt = async (id: string, look: () => Promise<readonly Check[]>): Promise<void> => {
    try {
      checks.push(...(await look()));
    } catch (error) {
      if (!(error instanceof ProxyError)) throw error;
      checks.push(
        about(id, name).fail(
          oneLine(error.message),
          'See the roles of the account; a --transcript shows what was answered.',
        ),
      );
    }
  };
  let vpgs: readonly string[] = [];
  await attempt('site.vms', async () => {
    const [rows, others] = await Promise.all([client.vms(signal), client.unprotectedVms(signal)]);
    vpgs = [...new Set(rows.map(({ vpgIdentifier }) => vpgIdentifier))];
    const vms = new Set(rows.map(({ vmIdentifier }) => vmIdentifier)).size;
    return [about('site.vms', name).pass(`${vms} protected in ${vpgs.length} VPGs, ${others.length} unprotected`)];
  });
  await attempt('site.vpgs', () => vpgChecks(site, vpgs.slice(0, MOST), signal));
  await attempt('site.mounts', async () => {
    const sessions = await client.sessions(undefined, signal);
    return [about('site.mounts', name).pass(`${sessions.length} checkpoints are mounted for file recovery`)];
  });
  return checks;
}

async function vpgChecks(
  { name, client }: Site,
  vpgs: readonly string[],
  signal: AbortSignal,
): Promise<readonly Check[]> {
  const looked = await Promise.all(
    vpgs.map(async (id) => ({
      state: await client.vpg(id, signal),
      journal: await client.checkpointStats(id, signal),
    })),
  );
  const troubled = looked.flatMap(({ state, journal }) => {
    const ready = readiness(state);
    const check = about('site.vpg', name);
    const named = `VPG ${quote(state.vpgName)}`;
    if (ready.kind === 'blocked')
      return [check.warn(`${named} takes no checkpoint now: ${ready.state}`, visible(ready.remedy))];
    if (journal.newest !== undefined) return [];
    return [
      check.warn(`${named} has an empty journal`, 'Wait for its first checkpoint; then calls can be recovered from.'),
    ];
  });
  const ready = looked.length - troubled.length;
  return [about('site.vpgs', name).pass(`${ready} of ${looked.length} VPGs take checkpoints now`), ...troubled];
}
