import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createPriorityQueue } from '../../../src/core/lib/priority-queue.ts';

it('returns its items smallest first, whatever the order of pushes and pops', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.integer())), (operations) => {
      const queue = createPriorityQueue<number>((a, b) => a < b);
      const model: number[] = [];
      for (const value of operations) {
        if (value === null) {
          expect(queue.pop()).toBe(model.shift());
        } else {
          queue.push(value);
          model.push(value);
          model.sort((a, b) => a - b);
        }
        expect(queue.peek()).toBe(model[0]);
        expect(queue.size).toBe(model.length);
      }
    }),
  );
});
