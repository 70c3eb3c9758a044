import { expect, test } from 'vitest';
import { Budget } from '../../../src/wire/front/budget.js';
import { fc } from '../../support/property.js';

test('what is taken is never more than there is, and comes back once', () => {
  const steps = fc.array(fc.tuple(fc.nat(4), fc.option(fc.nat(60))), { maxLength: 40 });
  fc.assert(
    fc.property(steps, (all) => {
      const budget = new Budget(100);
      const leases = Array.from({ length: 5 }, () => ({ lease: budget.lease(), bytes: 0 }));
      for (const [index, bytes] of all) {
        const each = leases[index];
        if (each === undefined) continue;
        if (bytes === null) {
          each.lease.release();
          each.bytes = 0;
        } else if (each.lease.add(bytes)) each.bytes += bytes;
        else expect(budget.used + bytes).toBeGreaterThan(100);
        expect(budget.used).toBe(leases.reduce((sum, one) => sum + one.bytes, 0));
        expect(budget.used).toBeLessThanOrEqual(100);
      }
    }),
  );
});
