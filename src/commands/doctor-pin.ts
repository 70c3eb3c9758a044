import { hash } from 'node:crypto';
import { join } from 'node:path';
import { openAppliances } from '../appliances.js';
import { openAuditLog } from '../audit/log.js';
import { keepingOf } from '../audit-keeping.js';
import { type Canary, canaryChecks } from '../checks/canary.js';
import { about, type Check } from '../checks/check.js';
import { findTarget } from '../checks/find-target.js';
import { pinChecks, pinFailed, receiptOf, tagAll } from '../checks/pin.js';
import type { Config } from '../config/config.js';
import { stateDir } from '../config/paths.js';
import { assess } from '../domain/assessment.js';
import { OWN_SERVER } from '../domain/call.js';
import { newId } from '../domain/id.js';
import type { Judged } from '../domain/ports.js';
import type { Target } from '../domain/target.js';
import { reasonOf } from '../proxy/refusal.js';
import { randomSource } from '../random.js';
import { systemClock } from '../zerto/clock.js';
import type { Context } from './context.js';

/** Tags a VM's VPGs for real, and with a canary looks whether what comes right after is in the tag. Recorded like any change. */
export async function tryPin(
  host: string,
  canary: Canary | undefined,
  context: Context,
  config: Config,
): Promise<readonly Check[]> {
  const { surroundings, signal, log } = context;
  const state = stateDir(surroundings);
  const { zvm, guard } = config;
  const appliances = openAppliances({
    zvm,
    timeoutSeconds: guard.timeoutSeconds,
    stateDir: state,
    clock: systemClock,
    log,
  });
  const audit = openAuditLog({
    dir: config.audit.dir ?? join(state, 'audit'),
    level: 'all',
    now: () => new Date(),
    log,
    process: { version: await context.version(), pid: process.pid, platform: surroundings.platform },
    keeping: { ...keepingOf(config.audit, surroundings, log), retentionDays: null },
  });
  try {
    const found = await findTarget(host, config, appliances.inventory, signal);
    if (found.kind === 'none')
      return [about('pin', host).fail(found.why, 'Name a protected VM as Zerto or "targets" calls it.')];
    const { target } = found;
    const random = randomSource();
    const id = (prefix: string) => newId(prefix, Date.now(), random);
    const change = id('c');
    const entry = await audit.open(judgedPin(target, id('call')), {
      kind: 'pin_then_forward',
      rule: 'doctor --pin',
      targets: [target],
    });
    const tagged = await tagAll(target, { checkpoints: appliances.checkpoints, change, now: Date.now }, signal).catch(
      async (error: unknown) => {
        await entry.close({ kind: 'not_sent', ...reasonOf(error, false) });
        throw error;
      },
    );
    const simulated = appliances.simulated(target.vm.site) ? ({ simulated: true } as const) : {};
    const pinnedAt = new Date().toISOString();
    const receipt = receiptOf(target, tagged, { id: id('r'), change, session: 'doctor', pinnedAt, ...simulated });
    await entry.close({ kind: 'forwarded', result: 'ok', receipt });
    const pinned = pinChecks(target.vm.name, tagged);
    if (canary === undefined) return pinned;
    const recovery = await appliances.recovery();
    const options = { surroundings, recovery, vmIdentifier: target.vm.vmIdentifier, tagged };
    return [...pinned, ...(await canaryChecks(canary, options, signal))];
  } catch (error) {
    return [pinFailed(host, error)];
  } finally {
    await audit.close();
    await appliances.close();
  }
}

function judgedPin(target: Target, id: string): Judged {
  const { vm } = target;
  return {
    call: {
      id,
      session: 'doctor',
      agent: 'doctor',
      server: { name: OWN_SERVER },
      tool: 'doctor --pin',
      arguments: { vm: vm.name },
      digest: hash('sha256', JSON.stringify(['doctor --pin', vm.vmIdentifier])),
      raw: new Uint8Array(),
    },
    reading: {
      interceptor: 'native',
      roles: { vm: 'host' },
      operations: [],
      hosts: [{ value: vm.name, argument: 'vm' }],
    },
    assessment: assess([{ effect: 'mutating', subject: 'doctor --pin', why: 'makes a tag' }]),
    aim: { targets: [target], problems: [] },
  };
}
