import { expect, test } from 'vitest';
import type { Plan } from '../../../../src/core/plan/types/plan.ts';
import type { Step } from '../../../../src/core/plan/types/step.ts';
import { digestsOf } from '../../../../src/server/plans/rules/plan-digests.ts';
import { givenPlan } from '../../../given/plan.ts';

const hosts = [1, 2, 3].map((id) => ({ id, name: `OLD-${id}` }));
const entries = [
  { id: 1, name: 'NEW-1' },
  { id: 2, name: 'NEW-2', group: 'Berlin' },
  { id: 3, name: 'OLD-3', group: 'Berlin' },
];
const planFor = (wanted: typeof entries) => givenPlan({ entries: wanted, hosts, groups: { 7: 'Berlin' } });
const plan = planFor(entries);

const place = { file: 'fleet.yaml', line: 3, col: 1 };
const window = { name: 'night', kinds: ['rename'], only: ['22:00-06:00'], place } as const;
const breach = { limit: 'delete', place, count: 3, allowed: 1, acknowledged: false } as const;
const refusal = { severity: 'error', code: 'limit-exceeded', message: 'too many', place } as const;
const ruled: Plan = {
  ...plan,
  constraints: { windows: [window], freezes: [{ name: 'year-end', place }] },
  breaches: [breach],
  problems: [refusal],
};

const lower = { ...place, line: 40, col: 9, text: '  - x' };
const eachStep = (change: (step: Step) => Step): Plan => ({ ...plan, steps: plan.steps.map(change) });
const reasoned = (parts: object): Plan =>
  eachStep((step) =>
    'hosts' in step
      ? {
          ...step,
          hosts: step.hosts.map((each) => ({ ...each, reason: { ...each.reason, ...parts } })),
        }
      : { ...step, reason: { ...step.reason, ...parts } },
  );

test.each<readonly [string, Plan, Plan, boolean, boolean]>([
  ['the same plan', plan, plan, true, true],
  ['entries in another order', plan, planFor(entries.toReversed()), true, true],
  ['entries on other lines', plan, reasoned({ line: 40, col: 9 }), true, true],
  ['entries in another file', plan, reasoned({ file: 'other.yaml' }), true, false],
  ['a rule in place of an entry', plan, reasoned({ rule: 'naming' }), true, false],
  ['other files', plan, { ...plan, files: ['other.yaml'] }, true, false],
  ['rules on other lines', ruled, { ...ruled, breaches: [{ ...breach, place: lower }] }, true, true],
  ['an error on another line', ruled, { ...ruled, problems: [{ ...refusal, place: lower }] }, true, true],
  [
    'a window and a freeze on other lines',
    ruled,
    {
      ...ruled,
      constraints: {
        windows: [{ ...window, place: lower }],
        freezes: [{ name: 'year-end', place: lower }],
      },
    },
    true,
    true,
  ],
  ['no window', ruled, { ...ruled, constraints: { windows: [], freezes: [] } }, true, false],
  ['another freeze', ruled, { ...ruled, constraints: { windows: [window], freezes: [] } }, true, false],
  ['a lower limit', ruled, { ...ruled, breaches: [{ ...breach, allowed: 0 }] }, true, false],
  ['another error', ruled, { ...ruled, problems: [{ ...refusal, message: 'far too many' }] }, true, false],
  ['deletions first', plan, { ...plan, deleteFirst: true }, true, false],
  [
    'a hazard that was not there',
    plan,
    eachStep((step) => ({ ...step, hazards: ['irreversible'] })),
    true,
    false,
  ],
  ['fewer changes', plan, planFor(entries.slice(0, 2)), false, false],
  ['another tenant', plan, { ...plan, account: { ...plan.account, companyId: '77' } }, false, false],
])('two plans have the same changes, or the same content: %s', (_, a, b, changes, content) => {
  const [one, two] = [digestsOf(a), digestsOf(b)];
  expect([one.changes === two.changes, one.content === two.content]).toEqual([changes, content]);
});
