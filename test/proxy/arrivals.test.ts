import { expect, test } from 'vitest';
import { Arrivals } from '../../src/proxy/arrivals.js';

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('a call has its turn when all before it in its session have left; one that leaves waits no longer', async () => {
  const arrivals = new Arrivals();
  const [first, second, third] = [arrivals.arrive('s'), arrivals.arrive('s'), arrivals.arrive('s')];
  const turns: string[] = [];
  void first.turn().then(() => turns.push('first'));
  void second.turn().then(() => turns.push('second'));
  void third.turn().then(() => turns.push('third'));
  void arrivals
    .arrive('another')
    .turn()
    .then(() => turns.push('another'));
  await settle();
  expect(turns).toEqual(['first', 'another']);
  third.leave();
  await settle();
  expect(turns).toEqual(['first', 'another', 'third']);
  first.leave();
  await settle();
  expect(turns).toEqual(['first', 'another', 'third', 'second']);
});
