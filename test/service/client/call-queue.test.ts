import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createCallQueue } from '../../../src/service/client/call-queue.ts';

it('the highest rank is first, and among equals the earliest, in any order of joining and leaving', () => {
  const anyMove = fc.oneof(
    fc.record({
      kind: fc.constant('join' as const),
      rank: fc.constantFrom(0, 1, 2, Number.POSITIVE_INFINITY),
    }),
    fc.record({ kind: fc.constant('leave' as const), who: fc.nat({ max: 30 }) }),
    fc.record({ kind: fc.constant('first leaves' as const) }),
  );
  fc.assert(
    fc.property(fc.array(anyMove, { maxLength: 200 }), (moves) => {
      const queue = createCallQueue<number>();
      let plain: { readonly item: number; readonly rank: number }[] = [];
      let next = 0;
      for (const move of moves) {
        if (move.kind === 'join') {
          plain.push({ item: next, rank: move.rank });
          plain.sort((a, b) => (a.rank === b.rank ? a.item - b.item : b.rank - a.rank));
          queue.join(next++, move.rank);
        } else {
          const leaver = move.kind === 'leave' ? move.who : (plain[0]?.item ?? 0);
          queue.leave(leaver);
          plain = plain.filter(({ item }) => item !== leaver);
        }
        expect(queue.first).toBe(plain[0]?.item);
        expect(new Set(queue)).toEqual(new Set(plain.map(({ item }) => item)));
      }
    }),
  );
});
