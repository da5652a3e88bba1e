import { describe, expect, it } from 'vitest';
import { isHeld, leaseMs, renewed } from '../../../../src/run/state/lease/lease-rules.ts';
import { explore } from './explore.ts';
import { type LeaseModelOptions, laws, leaseModel, type Rules, realRules } from './lease-model.ts';

const isSoak = process.env['RAMPART_SOAK'] === '1';
const timeout = isSoak ? 3_600_000 : 120_000;

interface Case extends LeaseModelOptions {
  readonly bound?: number;
}

/** A tick of 3 s divides the lease and the margin; one of 5 s only the lease, with fewer states. */
const cases: readonly Case[] = [
  { runs: 1, steps: 2, tickMs: 3_000 },
  { runs: 2, steps: 1, tickMs: 5_000 },
  { runs: 2, steps: 1, tickMs: 3_000, ...(isSoak ? {} : { bound: 12_000 }) },
  { runs: 3, steps: 1, tickMs: 5_000, bound: isSoak ? 2_000_000 : 12_000 },
  ...(isSoak
    ? [
        { runs: 2, steps: 2, tickMs: 5_000 },
        { runs: 2, steps: 1, tickMs: 5_000, seesDeath: false },
        { runs: 2, steps: 1, tickMs: 3_000, skew: -leaseMs },
      ]
    : []),
];

/** A change of the rules that breaks them, and the law that shows it. */
interface Planted {
  readonly title: string;
  readonly rules: Partial<Rules>;
  readonly law: string;
  readonly skew?: number;
}

const planted: readonly Planted[] = [
  {
    title: 'a begin without the epoch',
    rules: { mayBegin: (row, _, now) => row !== null && isHeld(row, row.epoch, now) },
    law: laws.begin,
  },
  {
    title: "a renewal by the machine's clock, which is slow",
    rules: { renewed: (row, now, skew) => renewed(row, now + skew) },
    skew: -leaseMs,
    law: laws.overlap,
  },
  {
    title: "a renewal by the machine's clock, which is fast",
    rules: { renewed: (row, now, skew) => renewed(row, now + skew) },
    skew: leaseMs,
    law: laws.stuck,
  },
  { title: 'no look at the clock before the call', rules: { maySend: () => true }, law: laws.overlap },
  {
    title: 'a renewal of a lease that has lapsed',
    rules: { mayRenew: (row, epoch) => isHeld(row, epoch, -Infinity) },
    law: laws.lapsed,
  },
  {
    title: 'a renewal whoever holds the lease',
    rules: { mayRenew: (row, _, now) => row !== null && isHeld(row, row.epoch, now) },
    law: laws.overlap,
  },
  {
    title: 'no margin for the call',
    rules: { maySend: (sinceAsked) => sinceAsked < leaseMs },
    law: laws.overlap,
  },
  {
    title: 'a stopwatch that starts with the reply',
    rules: { sinceAsked: () => 0 },
    law: laws.overlap,
  },
  { title: 'a call that does not wait for its begin', rules: { waitsForBegin: false }, law: laws.unrecorded },
  {
    title: 'a release of whoever holds the lease',
    rules: { releasedBy: (row, _, now) => (row === null ? null : { ...row, holder: null, until: now }) },
    law: laws.release,
  },
  {
    title: 'a lease that is only given back, and never lapses',
    rules: { mayTake: (row) => row === null || row.holder === null },
    law: laws.stuck,
  },
];

describe('every interleaving of runs, a backend and a service', () => {
  it.each(cases)('$runs runs, $steps steps, ticks of $tickMs ms: no law is broken', { timeout }, (given) => {
    const { states, transitions, complete, breach } = explore(leaseModel(given), given.bound);
    process.stdout.write(
      `${given.runs} runs, ${given.steps} steps, ticks of ${given.tickMs} ms: ${states} states, ${transitions} transitions, ${complete ? 'all of them' : 'up to the bound'}\n`,
    );
    expect(breach).toBeUndefined();
    if (given.bound === undefined) expect(complete).toBe(true);
  });

  it.each(planted)('finds a planted bug: $title', { timeout }, ({ rules, law, skew = 0 }) => {
    const given = { runs: 2, steps: 1, tickMs: 3_000, skew, seesDeath: false };
    const { breach } = explore(leaseModel({ ...given, rules: { ...realRules, ...rules } }), 200_000);
    expect(breach?.law).toBe(law);
    expect(breach?.events.length).toBeGreaterThan(0);
  });
});
