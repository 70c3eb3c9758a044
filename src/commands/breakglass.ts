import { hash } from 'node:crypto';
import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { openAuditLog } from '../audit/log.js';
import { keepingOf } from '../audit-keeping.js';
import {
  type BreakGlassPlaces,
  breakGlassPlaces,
  breakGlassRules,
  currentBreakGlass,
  type GrantFile,
  machineTime,
} from '../config/break-glass-file.js';
import { assess } from '../domain/assessment.js';
import { OWN_SERVER } from '../domain/call.js';
import { newId } from '../domain/id.js';
import { NO_AIM } from '../domain/target.js';
import { quote, visible } from '../domain/text.js';
import { randomSource } from '../random.js';
import { auditDirOf, type Context, settingsOf } from './context.js';
import { readArguments } from './options.js';

/** How the command is called. */
export const USAGE = `usage: zerto-rewind-proxy breakglass start --vm NAME [--vm NAME…] --minutes N --reason TEXT
       zerto-rewind-proxy breakglass end

Lets calls on the named VMs through without a checkpoint, for some minutes: for an emergency in which none can be taken. Only root can
start it, at a terminal, and only where the system config says {"breakGlass": {"allow": true, "maxMinutes": 60}}. Each call is recorded as
waived, with the reason. It ends by itself, with a restart of the machine, and when its clock is set.

Exit codes: 0 started or ended, 1 not allowed, 2 wrong usage.
`;

type Wanted =
  | { readonly kind: 'start'; readonly vms: readonly string[]; readonly minutes: number; readonly reason: string }
  | { readonly kind: 'end' };

/** `breakglass start|end`. `places`: where the system config and the leave lie, and whose they must be. */
export async function breakglassCommand(
  args: readonly string[],
  context: Context,
  places: BreakGlassPlaces = breakGlassPlaces(context.surroundings.platform),
): Promise<number> {
  const { io } = context;
  const wanted = read(args);
  if (typeof wanted === 'string') {
    io.stderr.write(`breakglass: ${wanted}\n${USAGE}`);
    return 2;
  }
  const path = places.grant;
  const why = path === undefined ? 'this platform has no system config yet' : notAllowed(wanted, io, places);
  if (why !== undefined || path === undefined) {
    io.stderr.write(`breakglass: ${why}. Nothing was changed.\n`);
    return 1;
  }
  if (wanted.kind === 'end') return end(path, context, places);
  const grant = grantOf(wanted, context);
  await record(context, 'breakglass start', { ...wanted, id: grant.id, by: grant.by });
  mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
  const temporary = `${path}.${grant.id}`;
  writeFileSync(temporary, `${JSON.stringify(grant)}\n`, { flag: 'wx', mode: 0o644, flush: true });
  chmodSync(temporary, 0o644);
  renameSync(temporary, path);
  const until = currentBreakGlass(places, machineTime())?.until;
  if (until === undefined) {
    rmSync(path, { force: true });
    io.stderr.write('breakglass: it does not hold: others can write where it lies. Nothing was changed.\n');
    return 1;
  }
  const vms = grant.vms.map((vm) => quote(vm, 80)).join(', ');
  io.stdout.write(`Break-glass ${grant.id}: calls on ${vms} go through without a checkpoint until ${until}.\n`);
  return 0;
}

async function end(path: string, context: Context, places: BreakGlassPlaces): Promise<number> {
  const current = currentBreakGlass(places, machineTime());
  rmSync(path, { force: true });
  if (current !== undefined) await record(context, 'breakglass end', { id: current.id });
  context.io.stdout.write(current === undefined ? 'None was running.\n' : `Break-glass ${current.id} is over.\n`);
  return 0;
}

function notAllowed(wanted: Wanted, { stdin }: Context['io'], places: BreakGlassPlaces): string | undefined {
  const { system, owner } = places;
  if (process.geteuid?.() !== owner) return 'only root can do this (sudo)';
  if (wanted.kind === 'end') return undefined;
  if (stdin.isTTY !== true) return 'it is for a person at a terminal';
  const rules = breakGlassRules(places);
  if (rules?.allow !== true) return `the system config ${visible(system ?? '')} does not allow it`;
  return wanted.minutes > rules.maxMinutes ? `at most ${rules.maxMinutes} minutes are allowed` : undefined;
}

function grantOf({ vms, minutes, reason }: Wanted & { kind: 'start' }, { surroundings }: Context): GrantFile {
  const { env } = surroundings;
  const by = visible((env['SUDO_USER'] ?? userInfo().username).slice(0, 60));
  return { v: 1, id: newId('bg', Date.now(), randomSource()), vms: [...vms], minutes, reason, by, ...machineTime() };
}

/** In the audit log of the account that runs this; what the proxies let through stands in theirs. */
async function record(context: Context, tool: string, given: Readonly<Record<string, unknown>>): Promise<void> {
  const audit = openAuditLog({
    dir: await auditDirOf(context),
    level: 'all',
    now: () => new Date(),
    log: context.log,
    process: { version: await context.version(), pid: process.pid, platform: context.surroundings.platform },
    keeping: {
      ...keepingOf((await settingsOf(context)).audit, context.surroundings, context.log),
      retentionDays: null,
    },
  });
  const args = Object.fromEntries(Object.entries(given).filter(([name]) => name !== 'kind'));
  const call = {
    id: newId('call', Date.now(), randomSource()),
    session: 'breakglass',
    agent: 'operator',
    server: { name: OWN_SERVER },
    tool,
    arguments: args,
    digest: hash('sha256', JSON.stringify([tool, args])),
    raw: new Uint8Array(),
  };
  const roles = Object.fromEntries(Object.keys(args).map((name) => [name, 'option' as const]));
  const reading = { interceptor: 'native', roles, operations: [], hosts: [] };
  const assessment = assess([{ effect: 'mutating', subject: tool, why: 'an operator lets changes through' }]);
  try {
    const judged = { call, reading, assessment, aim: NO_AIM };
    const entry = await audit.open(judged, { kind: 'waive', rule: tool, by: 'break-glass' });
    await entry.close({ kind: 'forwarded', result: 'ok' });
  } finally {
    await audit.close();
  }
}

/** The words and options of it. */
export const WORDS = ['start', 'end'] as const;
export const OPTIONS = {
  vm: { type: 'string', multiple: true },
  minutes: { type: 'string' },
  reason: { type: 'string' },
} as const;

function read(args: readonly string[]): Wanted | string {
  const given = readArguments(args, OPTIONS, { words: true });
  if (typeof given === 'string') return given;
  const { values, words } = given;
  const [word, ...more] = words;
  if (more.length > 0 || (word !== 'start' && word !== 'end')) return 'start or end is needed';
  if (word === 'end') return Object.keys(values).length > 0 ? 'end takes no option' : { kind: 'end' };
  return startOf(values.vm ?? [], Number(values.minutes), values.reason?.trim() ?? '');
}

function startOf(vms: readonly string[], minutes: number, reason: string): Wanted | string {
  if (vms.length === 0 || vms.some((vm) => vm.trim() === '' || /[*?]/.test(vm)))
    return '--vm NAME is needed, one for each VM; no patterns';
  if (!(minutes > 0 && minutes <= 1440)) return '--minutes is a number from 1 to 1440';
  if (reason === '') return '--reason TEXT is needed';
  return { kind: 'start', vms, minutes, reason: reason.slice(0, 300) };
}
