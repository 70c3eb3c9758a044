import type { Keeping } from './audit/log.js';
import { headsFile } from './audit/send-heads.js';
import type { Config } from './config/config.js';
import { type Surroundings, signingKeyFile } from './config/paths.js';
import type { Logger } from './domain/ports.js';

/** How the config has the audit log kept. Nothing is made or opened before the first record. */
export function keepingOf(audit: Config['audit'], surroundings: Surroundings, log: Logger): Keeping {
  const { retentionDays, maxFileMiB, headEvery, headsTo } = audit;
  return {
    keyFile: signingKeyFile(surroundings),
    maxFileBytes: maxFileMiB * 1024 * 1024,
    headEvery,
    retentionDays,
    heads: headsTo === null ? undefined : headsFile(headsTo, log),
  };
}
