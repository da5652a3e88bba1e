import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Observed } from '../../../src/core/model/observed.ts';
import { type WriteAction, writeActions } from '../../../src/core/model/write-action.ts';
import { planChecksum } from '../../../src/core/plan/document/plan-document.ts';
import { makePlan } from '../../../src/core/plan/make-plan.ts';
import { actsOf, type PlannedAct, plannedActs } from '../../../src/core/plan/ordering/planned-acts.ts';
import { predict } from '../../../src/core/plan/ordering/predict.ts';
import type { Plan } from '../../../src/core/plan/types/plan.ts';
import { type PlanInputs } from '../../../src/core/plan/types/plan-inputs.ts';
import { actionOf, hostIdsOf, type StepKind } from '../../../src/core/plan/types/step.ts';
import { givenGroups, reorganizations } from '../../given/arbitrary-fleet.ts';
import { casesOf } from '../../given/cases.ts';
import { type GivenEntry, givenDesired, noLimits } from '../../given/desired.ts';
import { at, type GivenHost, givenFleet } from '../../given/fleet.ts';

const account = { companyId: '1', service: 'emulator' };
const runs = casesOf(400);

function planFor(
  observed: Observed,
  entries: readonly GivenEntry[],
  options: Partial<PlanInputs> = {},
): Plan {
  return makePlan({ desired: givenDesired(entries, noLimits), observed, account, now: at, ...options });
}

const byHost = (acts: Iterable<PlannedAct>) =>
  Array.from(acts, (act) => ({ ...act, reason: act.reason() })).sort((a, b) =>
    `${a.hostId} ${a.kind}` < `${b.hostId} ${b.kind}` ? -1 : 1,
  );

describe('laws of planning', () => {
  it('planning on the predicted state finds nothing to do', () => {
    fc.assert(
      fc.property(reorganizations, ({ hosts, entries }) => {
        const fleet = givenFleet(hosts, givenGroups);
        const plan = planFor(fleet, entries);
        expect(plan.problems.filter((each) => each.severity === 'error')).toEqual([]);
        expect(planFor(predict(fleet, plan.steps), entries).steps).toEqual([]);
      }),
      runs,
    );
  });

  it('the totals and changes, which are found without the steps, equal those of the steps', () => {
    const paces = fc.constantFrom(undefined, { rate: 100, latency: 0.001 });
    const strangers = fc.subarray<GivenHost>([
      { id: 900, name: 'fresh-0' },
      { id: 901, name: 'HOST-1' },
    ]);
    const options = fc.record({ deleteFirst: fc.boolean(), antivirus: fc.boolean() });
    fc.assert(
      fc.property(
        reorganizations,
        strangers,
        paces,
        options,
        (given, others, pace, { antivirus, ...flags }) => {
          const fleet = givenFleet([...given.hosts, ...others], givenGroups);
          const entries = given.entries.map((entry) => ({ ...entry, ...(antivirus ? { antivirus } : {}) }));
          const plan = planFor(fleet, entries, {
            ...flags,
            batchSize: 2,
            skipBlocked: true,
            ...(pace === undefined ? {} : { pace }),
          });
          const acts = plannedActs(plan);
          expect(byHost(acts)).toEqual(byHost(actsOf(plan.steps)));
          expect(byHost(acts)).toEqual(byHost(acts));
          const { calls, summary, steps } = plan;
          const changed = (kind: StepKind) =>
            steps.flatMap((step) => (step.kind === kind ? hostIdsOf(step) : [])).length;
          const callsOf = (action: WriteAction) =>
            steps.filter((step) => actionOf(step.kind) === action).length;
          expect(summary).toMatchObject({
            rename: changed('rename'),
            temporaryRename: changed('temporary-rename'),
            move: changed('move'),
            antivirus: changed('antivirus'),
            delete: changed('delete'),
          });
          expect(calls.planned).toBe(steps.length);
          for (const action of writeActions) expect(calls.byAction[action]).toBe(callsOf(action));
        },
      ),
      runs,
    );
  });

  it('the order of the list and of the file has no effect', () => {
    fc.assert(
      fc.property(reorganizations, fc.infiniteStream(fc.nat()), ({ hosts, entries }, dice) => {
        const shuffle = <T>(items: readonly T[]): readonly T[] =>
          items
            .map((item) => ({ item, key: dice.next().value as number }))
            .sort((a, b) => a.key - b.key)
            .map(({ item }) => item);
        const bare = (plan: Plan) =>
          plan.steps.map((step) =>
            JSON.parse(JSON.stringify(step, (key, value) => (key === 'reason' ? undefined : value))),
          );
        const straight = planFor(givenFleet(hosts, givenGroups), entries);
        const shuffled = planFor(givenFleet(shuffle(hosts), givenGroups), shuffle(entries));
        expect(bare(shuffled)).toEqual(bare(straight));
        expect(shuffled.observed.fingerprint).toBe(straight.observed.fingerprint);
      }),
      runs,
    );
  });

  it('the checksum does not depend on the time', () => {
    fc.assert(
      fc.property(reorganizations, ({ hosts, entries }) => {
        const plan = planFor(givenFleet(hosts, givenGroups), entries);
        expect(planChecksum({ ...plan, createdAt: '2030-01-01T00:00:00Z' })).toBe(planChecksum(plan));
      }),
      casesOf(200),
    );
  });
});
