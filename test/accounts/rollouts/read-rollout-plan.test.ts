import { describe, expect, it } from 'vitest';
import { readRolloutPlan } from '../../../src/accounts/rollouts/save-rollout.ts';
import { planChecksum, printPlan } from '../../../src/core/plan/document/plan-document.ts';
import { failed, problem } from '../../../src/core/problem/problem.ts';
import { givenPlan } from '../../given/plan.ts';
import { memoryRollouts } from '../../given/rollouts.ts';

const plan = givenPlan({ entries: [{ id: 1, name: 'NEW' }], hosts: [{ id: 1, name: 'OLD' }] });
const other = givenPlan({ entries: [{ id: 1, name: 'X' }], hosts: [{ id: 1, name: 'OLD' }] });

async function read(text: string | undefined, checksum: string | null = planChecksum(plan)) {
  const store = memoryRollouts();
  if (text !== undefined) await store.savePlan('r1', 'berlin', text);
  return readRolloutPlan(store, 'r1', 'berlin', checksum);
}

describe('the plan of an account of a rollout', () => {
  it('is the one that was approved', async () => {
    const found = await read(printPlan(plan));
    expect(found.ok && planChecksum(found.value)).toBe(planChecksum(plan));
  });

  it.each([
    ['is another one', printPlan(other), undefined, 'plan-file-checksum', 'is not the one that was approved'],
    ['has no checksum in the record', printPlan(plan), null, 'plan-file-checksum', 'is not the one'],
    ['is missing', undefined, undefined, 'plan-file-invalid', 'the rollout r1 has no plan for "berlin"'],
    ['is damaged', '{', undefined, 'plan-file-invalid', 'the file is not a plan'],
  ])('is refused if it %s', async (_, text, checksum, code, message) => {
    const refused = await read(text, checksum);
    expect(refused).toMatchObject({ ok: false, problems: [{ code }] });
    expect(refused.problems[0]?.message).toContain(message);
  });

  it("is refused if the state can't be read", async () => {
    const full = failed(problem('state', 'the disk is full'));
    const store = { ...memoryRollouts(), readPlan: async () => full };
    expect(await readRolloutPlan(store, 'r1', 'berlin', planChecksum(plan))).toEqual(full);
  });
});
