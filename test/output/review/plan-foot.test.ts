import { expect, it } from 'vitest';
import type { Plan } from '../../../src/core/plan/types/plan.ts';
import { plainColor } from '../../../src/output/review/color.ts';
import { durationWords } from '../../../src/output/review/duration-words.ts';
import { paintFoot } from '../../../src/output/review/plan-foot.ts';
import { toRows } from '../../../src/output/review/rows.ts';
import { givenPlan } from '../../given/plan.ts';

const plan = givenPlan({ entries: [{ id: 1, name: 'B' }], hosts: [{ id: 1, name: 'A' }] });

it('shows how long the calls take at the pace of the service', () => {
  const forecast = { pace: { rate: 50, latency: 0.1 }, seconds: 760 };
  expect(foot({ ...plan, forecast })).toContain('About 12 min 40 s with 1 call at 50 calls per second.');
});

it('shows the outcome of a rehearsal', () => {
  const withoutFaults = { calls: 17, conflicts: 0, refusals: 0, minutes: 0.5, converged: true };
  const withFaults = { calls: 21, conflicts: 1, refusals: 2, minutes: 2, converged: false };
  const lines = foot({ ...plan, rehearsal: { withoutFaults, withFaults } });
  expect(lines).toContain('Rehearsed: 17 calls in about 30 s, converged.');
  expect(lines).toContain(
    'Rehearsed with faults: 21 calls in about 2 min, 1 conflict, 2 refused by a limit, did not converge.',
  );
});

it.each([
  [0, '1 s'],
  [41_100, '42 s'],
  [60_000, '1 min'],
  [200_000, '3 min 20 s'],
  [7_500_000, '2 h 05 min'],
])('shows %d ms as %s', (ms, words) => expect(durationWords(ms)).toBe(words));

function foot(shown: Plan): readonly string[] {
  return paintFoot(toRows(shown), { color: plainColor });
}
