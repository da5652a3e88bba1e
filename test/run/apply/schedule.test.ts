import { describe, expect, it } from 'vitest';
import type { StepKind } from '../../../src/core/plan/types/step.ts';
import { problem } from '../../../src/core/problem/problem.ts';
import { createAdmission } from '../../../src/run/apply/admission.ts';
import { runSchedule } from '../../../src/run/apply/schedule.ts';
import { done, stepFailed } from '../../../src/run/apply/step-result.ts';
import { givenPlan } from '../../given/plan.ts';

const hosts = [
  { id: 1, name: 'A' },
  { id: 2, name: 'B', antivirus: 'missing' },
  { id: 3, name: 'C' },
  { id: 4, name: 'D' },
] as const;
const entries = [
  { id: 1, name: 'X' },
  { id: 2, antivirus: true },
  { id: 3, ensure: 'absent' },
  { id: 4, group: { id: 10 } },
] as const;

/** The kinds of steps as they begin and end, where every step takes a turn of the event loop. */
async function order(deleteFirst: boolean, failing?: StepKind): Promise<readonly string[]> {
  const { steps } = givenPlan({ entries, hosts, groups: { 10: 'Berlin' }, options: { deleteFirst } });
  const log: string[] = [];
  const accounts = await runSchedule({
    // The order must not come from that of the plan.
    steps: steps.toReversed(),
    deleteFirst,
    stop: new AbortController().signal,
    admission: createAdmission(steps, {}, { now: () => 0, sleep: async () => {} }),
    async run({ kind }) {
      log.push(`${kind} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      log.push(`${kind} ends`);
      return kind === failing ? stepFailed(problem('step-failed', 'given')) : done;
    },
    onEnd: () => {},
  });
  expect(accounts).toHaveLength(4);
  return log;
}

const isBefore = (log: readonly string[], first: string, second: string) =>
  log.indexOf(first) !== -1 && log.indexOf(first) < log.indexOf(second);

describe('the order of steps', () => {
  it('begins deletions when every rename, move and install has ended', async () => {
    const log = await order(false);
    for (const kind of ['rename', 'move', 'antivirus'])
      expect(isBefore(log, `${kind} ends`, 'delete begins'), kind).toBe(true);
  });

  it('begins installs when every rename and move has ended', async () => {
    const log = await order(false);
    for (const kind of ['rename', 'move'])
      expect(isBefore(log, `${kind} ends`, 'antivirus begins'), kind).toBe(true);
  });

  it('begins deletions first only where the plan says so, and installs last all the same', async () => {
    const log = await order(true);
    for (const kind of ['rename', 'move', 'antivirus'])
      expect(isBefore(log, 'delete ends', `${kind} begins`), kind).toBe(true);
    for (const kind of ['rename', 'move'])
      expect(isBefore(log, `${kind} ends`, 'antivirus begins'), kind).toBe(true);
  });

  it('goes on with deletions where an install failed that they do not wait for', async () => {
    const log = await order(false, 'antivirus');
    expect(isBefore(log, 'antivirus ends', 'delete begins')).toBe(true);
  });
});
