import { expect, it } from 'vitest';
import { saveBaseline } from '../../../src/accounts/engine/save-baseline.ts';
import type { Observed, ObservedHost } from '../../../src/core/model/observed.ts';
import type { StepSummary } from '../../../src/core/plan/types/run-summary.ts';
import { ok } from '../../../src/core/problem/problem.ts';
import { givenFleet } from '../../given/fleet.ts';
import { givenPlan } from '../../given/plan.ts';

const account = { companyId: '1', service: 'emulator' };
const hosts = [
  { id: 1, name: 'A' },
  { id: 2, name: 'B' },
];
const plan = givenPlan({ entries: [{ id: 1, name: 'NEW' }], hosts });
const steps = plan.steps.map((step): StepSummary => ({ step, outcome: 'done', failedHosts: [] }));
const left = givenFleet(
  [
    { id: 1, name: 'NEW' },
    { id: 2, name: 'HAND' },
  ],
  {},
);

async function earlierAfter(saved: Observed | null): Promise<readonly string[]> {
  const kept: ObservedHost[] = [];
  const state = {
    readFleet: async () => ok(saved === null ? null : { observed: saved }),
    saveFleet: async (_: unknown, __: unknown, earlier: readonly ObservedHost[] = []) => {
      kept.push(...earlier);
      return ok(null);
    },
  } as unknown as Parameters<typeof saveBaseline>[0];
  await saveBaseline(state, account, { before: givenFleet(hosts, {}), left, steps }, undefined);
  return kept.map(({ id, name }) => `${id} ${name}`);
}

it.each([
  ['before the first run', null],
  ['of a host that enrolled since the last run', givenFleet(hosts.slice(0, 1), {})],
  ['of a host that the last run left', givenFleet(hosts, {})],
])('the baseline keeps changes that others made during a run as changes by others, %s', async (_, saved) =>
  expect(await earlierAfter(saved)).toEqual(['2 B']),
);
