import type { Config } from '../config/config.js';
import { stateDir } from '../config/paths.js';
import type { Lag } from '../export/lag.js';
import { viewExport } from '../exporting.js';
import type { Context } from './context.js';

/** How far each configured destination of the export is; none where none is configured. */
export async function exportLag(
  { surroundings, version, log }: Context,
  { export: config }: Config,
  auditDir: string,
): Promise<readonly Lag[]> {
  if (Object.keys(config).length === 0) return [];
  const [{ lagOf }, { destinations, dir, spool }] = await Promise.all([
    import('../export/lag.js'),
    viewExport({ config, stateDir: stateDir(surroundings), auditDir, version: await version(), log }),
  ]);
  return lagOf(dir, spool, destinations);
}
