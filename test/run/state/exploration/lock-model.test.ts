import { describe, expect, it } from 'vitest';
import { fenceOf, removableBelow } from '../../../../src/run/state/files/lock-epochs.ts';
import { explore } from './explore.ts';
import { type LockModelOptions, type LockRules, lockLaws, lockModel, realLockRules } from './lock-model.ts';

const isSoak = process.env['RAMPART_SOAK'] === '1';
const timeout = isSoak ? 3_600_000 : 120_000;

interface Case extends LockModelOptions {
  readonly bound?: number;
}

const cases: readonly Case[] = [
  { processes: 2, rounds: 1 },
  { processes: 2, rounds: 2, ...(isSoak ? {} : { bound: 8_000 }) },
  { processes: 3, rounds: 1, ...(isSoak ? {} : { bound: 8_000 }) },
  ...(isSoak ? [{ processes: 3, rounds: 2, bound: 2_000_000 }] : []),
];

/** A change of the rules that breaks them, and the law that shows it. */
interface Planted {
  readonly title: string;
  readonly rules: Partial<LockRules>;
  readonly law: string;
}

const planted: readonly Planted[] = [
  {
    title: 'a release that removes the file after a check',
    rules: { release: 'check and remove' },
    law: lockLaws.twice,
  },
  { title: 'a takeover that does not look again', rules: { hasWon: () => true }, law: lockLaws.twice },
  {
    title: 'a fence that looks at its own file first',
    rules: { fenceOf: (epoch) => fenceOf(epoch).toReversed() },
    law: lockLaws.fence,
  },
  {
    title: 'a holder that removes the latest epoch first',
    rules: { removableBelow: (names, epoch) => removableBelow(names, epoch).toReversed() },
    law: lockLaws.fence,
  },
];

describe('every interleaving of processes that share the folder of a lock', () => {
  it.each(cases)(
    '$processes processes, $rounds rounds: no two hold the lock together',
    { timeout },
    (given) => {
      const { states, transitions, complete, breach } = explore(lockModel(given), given.bound);
      process.stdout.write(
        `${given.processes} processes, ${given.rounds} rounds: ${states} states, ${transitions} transitions, ${complete ? 'all of them' : 'up to the bound'}\n`,
      );
      expect(breach).toBeUndefined();
      if (given.bound === undefined) expect(complete).toBe(true);
    },
  );

  it.each(planted)('finds a planted bug of the lock: $title', { timeout }, ({ rules, law }) => {
    const given = { processes: 2, rounds: 2, rules: { ...realLockRules, ...rules } };
    const { breach } = explore(lockModel(given), 500_000);
    expect(breach?.law).toBe(law);
    expect(breach?.events.length).toBeGreaterThan(0);
  });
});
