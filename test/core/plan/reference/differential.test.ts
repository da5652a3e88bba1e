import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makePlan } from '../../../../src/core/plan/make-plan.ts';
import { anyCase } from './any-case.ts';
import { differencesOf } from './differences.ts';
import { planInputs } from './planning-case.ts';
import { textOfPlan } from './real-plan.ts';

// `npm run differential` tries more of them.
it('the planner makes the same plan as the reference planner in random cases', () => {
  fc.assert(
    fc.property(anyCase, (given) => {
      expect(differencesOf(given)).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

it('the random cases have plans of all kinds', () => {
  const plans = fc
    .sample(anyCase, { numRuns: 200, seed: 1 })
    .map((given) => textOfPlan(makePlan(planInputs(given))));
  const count = (holds: (plan: ReturnType<typeof textOfPlan>) => boolean) => plans.filter(holds).length;
  const kinds = ['rename', 'temporary-rename', 'move', 'antivirus', 'delete'];
  for (const kind of kinds)
    expect(
      count(({ steps }) => steps.some((step) => step.startsWith(kind))),
      kind,
    ).toBeGreaterThan(0);
  const codes = ['denied', 'policy-warning', 'policy-undecided', 'protected', 'outside-window', 'frozen'];
  const ofGroups = ['group-limit-exceeded', 'unmanaged-hosts', 'exclusive-group'];
  for (const code of [...codes, ...ofGroups])
    expect(
      count(({ problems }) => problems.some((each) => each.includes(` ${code} `))),
      code,
    ).toBeGreaterThan(0);
  expect(count(({ undo }) => undo.length > 0)).toBeGreaterThan(50);
  expect(count(({ problems }) => problems.every((each) => !each.startsWith('error')))).toBeGreaterThan(50);
});

describe('the reference planner', () => {
  const files = ['reference-planner.ts', 'reference-differences.ts', 'reference-judge.ts', 'naive-facts.ts'];
  const textOf = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8');

  it('plans in at most 400 lines, without the plan verifier and the expression language', () => {
    const lines = files.slice(0, 2).flatMap((file) => textOf(file).trimEnd().split('\n'));
    expect(lines.length).toBeLessThanOrEqual(400);
  });

  it('uses only the type of its inputs from the planner', () => {
    const imported = files.flatMap((file) => textOf(file).match(/core\/plan\/[\w/-]+/g) ?? []);
    expect([...new Set(imported)]).toEqual(['core/plan/types/plan-inputs']);
  });
});
