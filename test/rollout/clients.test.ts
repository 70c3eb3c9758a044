import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ManagedFile } from '../../src/fleet/managed.js';
import { verifies } from '../e2e/requirements.js';
import { CAN_LAY } from '../support/system-config.js';
import { REAL_CLIENTS, type RealClient, whyNotRun } from './clients.js';
import type { Step } from './model.js';
import { proxy, world } from './world.js';

const LIMIT = 180_000;
const isSkipped = (client: RealClient) => whyNotRun(client) !== undefined;
const titled = REAL_CLIENTS.map((client) => {
  const why = whyNotRun(client);
  return [why === undefined ? client.package : `${client.package} (skipped: ${why})`, client] as const;
});

const calls = (client: RealClient, server: string, args: Step['args']): Step => {
  return { isTool: (tool) => client.isToolOf(tool, server, 'ssh_execute'), args };
};
const runs = (client: RealClient, command: string): Step => {
  return { isTool: ({ name }) => client.shell.test(name), args: client.running(command) };
};
const TOUCH = "ssh app01 'touch x'";
const UNPROTECTED = 'ssh lab01 reboot';

describe.each(titled)('%s', (_, client) => {
  const realTest = test.skipIf(isSkipped(client));

  realTest(
    `${verifies('F-4')} starts what install wrapped, and its shell asks the hook`,
    async () => {
      const made = await world([
        calls(client, 'ssh', { host: 'app01', command: 'touch /srv/x' }),
        runs(client, TOUCH),
        runs(client, 'ls'),
        runs(client, UNPROTECTED),
      ]);
      const { place, model } = made;
      const hook = (event: 'pre' | 'post') =>
        `${proxy('hook', '--client', client.name).join(' ')} ${event === 'post' ? '--event post' : '|| exit 2'}`;
      made.put(client.user(place, made.server, hook));
      const installed = await made.run(proxy('install', '--client', client.name));
      expect(installed.stdout).toContain('1 server in 1 file wrapped');
      const { code, stdout, stderr } = await made.drive(client, client.freely);
      const seen = { code, stdout, stderr, strange: model.strange(), results: model.results() };
      expect(seen).toMatchObject({ code: 0, results: { length: 4 } });
      expect(made.received()).toEqual(['touch /srv/x']);
      const audit = await made.audit();
      const shell = audit.filter(({ session }) => session.startsWith(`${client.name}:`));
      expect(audit.filter((each) => !shell.includes(each))).toMatchObject([
        { tool: 'ssh_execute', vms: ['app01'], decision: 'pin_then_forward', outcome: 'forwarded', permit: 'pinned' },
      ]);
      // The command that reaches app01 had its checkpoint, ls left no trace, what reaches a VM without protection did not run.
      expect(made.ran()).toEqual(['app01 touch x']);
      const [pinned, ended, stopped] = shell;
      expect(pinned).toMatchObject({ vms: ['app01'], permit: 'pinned', outcome: 'outcome_unknown' });
      expect(ended).toMatchObject({ tool: expect.stringMatching(/ ended$/) });
      expect(stopped).toMatchObject({ vms: ['lab01'], decision: 'ask' });
      expect(shell).toHaveLength(3);
      expect(model.results()[3]).toMatch(/unprotected/);
      expect(model.results().join('')).not.toContain('"level');
      console.error(
        client.package,
        JSON.stringify({ ended: ended?.result ?? ended?.outcome, told: model.heard(String(pinned?.receipt)) }),
      );
    },
    LIMIT,
  );

  test.skipIf(isSkipped(client) || !CAN_LAY)(
    `${verifies('F-1')} the managed files bind it: no server, definition, option or setting of the user's gets round them`,
    async () => {
      const steps = [
        calls(client, 'ssh', { host: 'app01', command: 'touch /srv/x' }),
        runs(client, TOUCH),
        runs(client, 'ls'),
        runs(client, `env ${UNPROTECTED}`),
        runs(client, 'X=ssh; $X lab01 reboot'),
      ];
      const made = await world(steps, (server) => ({
        zvm: 'simulator',
        mcpServers: { ssh: { ...server, family: 'ssh' } },
      }));
      const { place, model, machine } = made;
      const launcher = join(place.home, 'launcher');
      writeFileSync(launcher, (await made.run(proxy('export', 'launcher'))).stdout, { mode: 0o755 });
      const exported = await made.run(
        proxy('export', 'managed', '--client', client.name, '--launcher', launcher, '--json'),
      );
      for (const { path, content } of (JSON.parse(exported.stdout) as { files: ManagedFile[] }).files) {
        if (!path.startsWith('/etc/')) continue;
        const file = join(machine?.dir ?? '', path);
        mkdirSync(dirname(file), { recursive: true, mode: 0o755 });
        writeFileSync(file, content, { mode: 0o644 });
      }
      made.put(client.loose(place, { command: launcher, args: ['--server', 'ssh'] }));
      const { code, stdout, stderr } = await made.drive(client, client.loosely, client.looseEnv);
      const seen = { code, stdout, stderr, strange: model.strange(), results: model.results() };
      expect(seen).toMatchObject({ code: 0, results: { length: 5 } });
      const names = model.offered().map(({ namespace = '', name }) => `${namespace} ${name}`);
      expect(names.filter((name) => /mine|ours|extra/.test(name))).toEqual([]);
      expect(made.receivedDirectly()).toEqual([]);
      expect(made.received()).toEqual(['touch /srv/x']);
      expect(made.ran()).toEqual([]);
      const audit = await made.audit();
      expect(audit.filter(({ permit }) => permit === 'pinned')).toMatchObject([{ server: 'ssh', vms: ['app01'] }]);
      expect(audit.filter(({ decision }) => decision === 'refuse').length).toBeGreaterThanOrEqual(2);
    },
    LIMIT,
  );
});
