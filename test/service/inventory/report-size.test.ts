import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bounded,
  firstSize,
  judgeReport,
  type ReportSize,
} from '../../../src/service/inventory/report-size.ts';

const complete = (asked: number, arrived: number, pages: number, fullestPage = Math.min(50, arrived)) => ({
  isComplete: true,
  asked,
  arrived,
  pages,
  fullestPage,
});

describe('a report that was requested for a thousand hosts', () => {
  it.each([
    ['shows fifty and ends: it carries fifty', complete(1000, 50, 1), 50, 50, false],
    ['shows 45 of fifty and ends: it carries fifty', complete(1000, 45, 1), 50, 50, false],
    ['shows none of fifty and ends: it carries fifty', complete(1000, 0, 1, 0), 50, 50, false],
    ['shows fifty, an empty page and ends: it carries fifty', complete(1000, 50, 2), 50, 50, false],
    ['shows two hundred on four pages: it carries two hundred', complete(1000, 190, 4), 200, 200, false],
    ['shows all on twenty pages: twice as many are tried', complete(1000, 1000, 20), null, 2000, true],
    ['has twenty pages with forty hosts: the others have none', complete(1000, 40, 20, 5), null, 2000, true],
    ['has ten pages of a hundred', complete(1000, 980, 10, 100), null, 2000, true],
  ] as const)('%s', (_, outcome, capacity, ask, carriedAll) =>
    expect(judgeReport(firstSize, outcome)).toMatchObject({ size: { capacity, ask }, carriedAll }),
  );

  it('is cut short: the next one requests as many as arrived, and no host is absent', () => {
    const verdict = judgeReport(firstSize, { ...complete(1000, 330, 7), isComplete: false });
    expect(verdict).toMatchObject({ size: { capacity: null, ask: 350 }, carriedAll: false });
  });
});

it('a report whose pages all came before it was ready proves nothing, and the next one requests fewer hosts', () => {
  expect(judgeReport(firstSize, complete(1000, 0, 0))).toMatchObject({
    size: { capacity: null, ask: 50 },
    carriedAll: false,
  });
  expect(judgeReport(firstSize, complete(3, 0, 0)).carriedAll).toBe(false);
});

describe('a report that was requested for eighty hosts and had two pages', () => {
  it('proves nothing if at most fifty arrived: the next one requests fifty', () => {
    expect(judgeReport(firstSize, complete(80, 45, 2))).toMatchObject({
      size: { capacity: null, ask: 50 },
      carriedAll: false,
    });
  });

  it('contains all hosts if reports are known to contain more than fifty', () => {
    const size: ReportSize = { ...firstSize, carriesMore: true };
    expect(judgeReport(size, complete(80, 45, 2)).carriedAll).toBe(true);
  });
});

it('a report for fifty contains all of them, whatever is known', () =>
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 50 }),
      fc.nat(50),
      fc.integer({ min: 1, max: 3 }),
      (asked, arrived, pages) => {
        const verdict = judgeReport(firstSize, complete(asked, Math.min(asked, arrived), pages));
        expect(verdict).toMatchObject({ carriedAll: true, size: { capacity: null } });
      },
    ),
  ));

it('the requested number is at least one and at most what one report can contain', () =>
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 10_000 }), fc.nat(10_000), fc.nat(200)), {
        maxLength: 20,
      }),
      (outcomes) => {
        let size = firstSize;
        for (const [isComplete, arrived, pages, asked] of outcomes.map(
          ([whole, wanted, came, count]) => [whole, Math.min(came, wanted), count, wanted] as const,
        )) {
          size = judgeReport(size, {
            ...complete(Math.min(asked, size.ask), arrived, pages),
            isComplete,
          }).size;
          expect(size.ask).toBeGreaterThan(0);
          expect(size.ask).toBeLessThanOrEqual(Math.max(10_000, size.capacity ?? 0));
        }
      },
    ),
  ));

it('a limit that the service sets applies from then on', () => {
  expect(bounded(firstSize, 1)).toEqual({ capacity: 1, ask: 1, carriesMore: false });
  expect(bounded(firstSize, 150)).toEqual({ capacity: 150, ask: 150, carriesMore: true });
});
