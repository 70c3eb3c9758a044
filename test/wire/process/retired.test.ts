import { afterEach, describe, expect, test } from 'vitest';
import { IdTable, TakenBack } from '../../../src/wire/relay-ids.js';
import { verifies } from '../../e2e/requirements.js';
import { fc } from '../../support/property.js';
import { Harness } from './harness.js';

const open: Harness[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((harness) => harness.abort()));
});

describe('requests that were taken back', () => {
  test('are remembered up to a number; what waits is never forgotten for them', () => {
    const steps = fc.array(fc.tuple(fc.constantFrom('asks', 'takes back', 'answered'), fc.nat(30)), { maxLength: 200 });
    fc.assert(
      fc.property(steps, (all) => {
        const model = new Model();
        for (const [what, n] of all) {
          model.step(what, `n:${n}`);
          for (const [key, entry] of model.waiting) expect(model.table.get(key)).toBe(entry);
          expect(model.table.size - model.waiting.size).toBeLessThanOrEqual(5);
        }
      }),
    );
  });

  test(`${verifies('T-6')} keep their ids: a late answer passes as it is, and meets no other request`, async () => {
    const harness = new Harness({ server: { answers: { 'x/never': '' } } });
    open.push(harness);
    await harness.initialize();
    const cancel = (id: unknown) => ({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
    harness.send(requestOf(1, 'x/never'));
    harness.call(2, 'hang');
    harness.call(3, 'echo');
    await harness.answer(3);
    for (const id of [1, 2]) harness.send(cancel(id));
    for (const id of [1, 2])
      await harness.next((line) => line.includes('notifications/seen') && line.includes(`:${id}}`));
    for (const id of [1, 2]) {
      harness.call(id, 'echo');
      expect((await harness.answer(id)).error?.message).toContain('is not answered yet');
    }
    expect(harness.calls.map(({ tool }) => tool)).toEqual(['hang', 'echo']);
    const late = (id: number) =>
      `{"jsonrpc":"2.0","id":${id},"result":{"n":1.0,"_meta":{"zerto-rewind/receipt":{"permit":"pinned"}}}}`;
    for (const id of [1, 2]) {
      harness.call(10 + id, 'forge', { line: late(id) });
      expect(await harness.next((line) => line.includes('"n":1.0'))).not.toContain('receipt');
      harness.call(id, 'echo');
      expect(await harness.text(id)).toContain('"name":"echo"');
    }
  });
});

class Model {
  readonly table = new IdTable<object>();
  readonly waiting = new Map<string, object>();
  readonly #back = new TakenBack(this.table, 5);

  step(what: string, key: string): void {
    if (what === 'asks' && !this.table.has(key)) {
      const entry = {};
      this.table.add(key, entry);
      this.waiting.set(key, entry);
    }
    if (what === 'takes back' && this.waiting.delete(key)) this.#back.add(key, {});
    if (what === 'answered') {
      this.table.delete(key);
      this.waiting.delete(key);
    }
  }
}

function requestOf(id: number, method: string): object {
  return { jsonrpc: '2.0', id, method };
}
