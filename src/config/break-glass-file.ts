import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { BreakGlass } from '../domain/break-glass.js';
import { readOwned, readSystemFile, systemPlace } from './system-file.js';
import type { SystemConfig } from './system-schema.js';

/** What an administrator left. Times are those of the machine when it was written: by the clock, and since its start. */
export const GRANT = z.strictObject({
  v: z.literal(1),
  id: z.string(),
  vms: z.array(z.string().min(1)).min(1),
  minutes: z.number().positive(),
  reason: z.string().min(1),
  by: z.string(),
  wallMs: z.number(),
  upSeconds: z.number(),
  boot: z.string(),
});
export type GrantFile = z.infer<typeof GRANT>;

/** Where the system config and the leave lie, and whose they must be. */
export interface BreakGlassPlaces {
  readonly system: string | undefined;
  readonly grant: string | undefined;
  readonly owner: number;
}

/** Beside the system config, which only root can write. Windows tells no owners: there it is not to be had. */
export function breakGlassPlaces(platform: NodeJS.Platform): BreakGlassPlaces {
  if (platform === 'win32') return { system: undefined, grant: undefined, owner: 0 };
  const { path, owner } = systemPlace(platform);
  return { system: path, grant: join(dirname(path), 'breakglass.json'), owner };
}

/** What the system config says of it; undefined where there is none. Throws CONFIG_INVALID where it cannot be used. */
export function breakGlassRules({ system, owner }: BreakGlassPlaces): SystemConfig['breakGlass'] | undefined {
  const place = system === undefined ? undefined : { path: system, owner, platform: process.platform };
  return readSystemFile(place)?.config.breakGlass;
}

/** The machine's time: by its clock, by the seconds since its start, and which start that was. */
export interface MachineTime {
  readonly wallMs: number;
  readonly upSeconds: number;
  readonly boot: string;
}

let bootId: string | undefined;

export function machineTime(): MachineTime {
  bootId ??= readBootId();
  return { wallMs: Date.now(), upSeconds: uptime(), boot: bootId };
}

/** Linux alone has a name for each start; elsewhere the two times must agree. */
function readBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

/** How far the two times may drift apart before the clock counts as set. */
const DRIFT_SECONDS = 120;

/** Whether the minutes are not over yet: by both times, on the same start of the machine, with a clock that nobody has set. */
export function isRunning(grant: Pick<GrantFile, 'minutes' | keyof MachineTime>, now: MachineTime): boolean {
  const wall = (now.wallMs - grant.wallMs) / 1000;
  const up = now.upSeconds - grant.upSeconds;
  const isSameStart = now.boot === grant.boot && up >= 0;
  return isSameStart && wall >= 0 && Math.abs(wall - up) <= DRIFT_SECONDS && Math.max(wall, up) < grant.minutes * 60;
}

/** The leave that holds now. Whatever is not exactly as an administrator would have left it is none. */
export function currentBreakGlass(places: BreakGlassPlaces, now: MachineTime): BreakGlass | undefined {
  const { grant: path, owner } = places;
  if (path === undefined) return undefined;
  try {
    const text = readOwned({ path, owner, platform: process.platform });
    if (text === undefined) return undefined;
    const grant = GRANT.parse(JSON.parse(text));
    const rules = breakGlassRules(places);
    if (rules?.allow !== true || grant.minutes > rules.maxMinutes || !isRunning(grant, now)) return undefined;
    const { id, vms, reason, by, minutes, wallMs } = grant;
    return { id, vms, reason, by, until: new Date(wallMs + minutes * 60_000).toISOString() };
  } catch {
    return undefined;
  }
}
