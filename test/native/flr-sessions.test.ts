import { describe, expect, it } from 'vitest';
import { bench } from './support.js';

const signal = new AbortController().signal;

async function foreignMount(vm: string, vpg: string) {
  const it = await bench();
  it.world.write(vm, '/f', 'x');
  it.world.checkpoint(vpg);
  const { vpgIdentifier, journal } = it.world.vpg(vpg);
  const checkpointIdentifier = String(journal.at(-1)?.id);
  const session = await it.client.mount({ vpgIdentifier, vmIdentifier: it.vmId(vm), checkpointIdentifier }, signal);
  return { it, session };
}

describe('mounts', () => {
  it('are listed with their VM, within reach', async () => {
    const { it, session } = await foreignMount('app01', 'app');
    expect((await it.call('zerto_list_flr_sessions')).structuredContent).toMatchObject({
      sessions: [
        {
          session,
          vm: 'app01',
          own: false,
          inUse: false,
          owner: 'somebody_else',
          ageMinutes: 0,
          runningTasks: 0,
          checkpointIdentifier: String(it.world.vpg('app').journal.at(-1)?.id),
        },
      ],
    });
    expect((await it.call('zerto_list_flr_sessions', { vm: 'app01' })).structuredContent).toMatchObject({
      sessions: [{ session }],
    });
    expect((await it.call('zerto_list_flr_sessions', { vm: 'db01' })).structuredContent).toEqual({ sessions: [] });
    expect((await it.call('zerto_list_flr_sessions', { vm: 'hr01' })).isError).toBe(true);
    const hidden = await foreignMount('hr01', 'hr');
    expect((await hidden.it.call('zerto_list_flr_sessions')).structuredContent).toEqual({ sessions: [] });
    expect((await hidden.it.call('zerto_end_flr_session', { session: hidden.session })).isError).toBe(true);
    expect(hidden.it.world.sessions).toHaveLength(1);
  });

  it('of somebody else are ended only after a human said yes', async () => {
    const { it, session } = await foreignMount('app01', 'app');
    for (const reply of ['no', 'unavailable', 'cancel'] as const) {
      it.reply = reply;
      const result = await it.call('zerto_end_flr_session', { session });
      expect(result.isError).toBe(true);
      expect(it.world.sessions).toHaveLength(1);
    }
    it.reply = 'yes';
    expect((await it.call('zerto_end_flr_session', { session })).structuredContent).toEqual({ session, ended: true });
    expect(it.questions.at(-1)?.message).toContain('"app01"');
    expect(it.world.sessions).toEqual([]);
    expect(it.audit.at(-1)).toMatchObject({ readOnly: false, outcome: { answeredBy: 'client' } });
  });

  it('that a recovery left over are ended without a question', async () => {
    const it = await bench();
    it.world.write('app01', '/f', 'x');
    const { id } = it.receipt(['app01']);
    it.simulator.faults.unmount({ kind: 'refuse', status: 500, message: 'no' }, { times: 1_000 });
    expect((await it.call('zerto_recover_file', { receipt: id, path: '/f' })).isError).toBeUndefined();
    const [session] = it.world.sessions.map(({ flrSessionIdentifier }) => flrSessionIdentifier);
    // The recovery goes on trying for a while: only then the mount is left over.
    await expect
      .poll(async () => (await it.call('zerto_list_flr_sessions')).structuredContent, { timeout: 10_000 })
      .toMatchObject({ sessions: [{ session, own: true, inUse: false, owner: 'left_over' }] });
    it.simulator.faults.clear();
    it.reply = 'unavailable';
    expect((await it.call('zerto_end_flr_session', { session })).structuredContent).toMatchObject({ ended: true });
    expect(it.world.sessions).toEqual([]);
    expect((await it.call('zerto_end_flr_session', { session })).isError).toBe(true);
  });

  it('that are in use are not ended', async () => {
    const it = await bench();
    it.world.write('app01', '/f', 'x');
    const { id } = it.receipt(['app01']);
    it.simulator.knobs.mountMs = 800;
    const over = it.call('zerto_recover_file', { receipt: id, path: '/f' });
    await expect.poll(async () => JSON.stringify(await it.call('zerto_list_flr_sessions'))).toContain('"inUse":true');
    const [session] = it.world.sessions.map(({ flrSessionIdentifier }) => flrSessionIdentifier);
    expect(JSON.stringify(await it.call('zerto_end_flr_session', { session }))).toContain('reads from this mount now');
    expect((await over).isError).toBeUndefined();
  });
});
