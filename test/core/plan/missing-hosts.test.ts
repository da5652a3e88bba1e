import { describe, expect, it } from 'vitest';
import type { Limits } from '../../../src/core/model/limits.ts';
import { makePlan } from '../../../src/core/plan/make-plan.ts';
import type { Plan } from '../../../src/core/plan/types/plan.ts';
import { type PlanInputs } from '../../../src/core/plan/types/plan-inputs.ts';
import { exitForPlan } from '../../../src/doors/cli/shell/exit-code.ts';
import { type GivenEntry, givenDesired } from '../../given/desired.ts';
import { at, givenFleet } from '../../given/fleet.ts';

const account = { companyId: '1', service: 'emulator' };
const hosts = Array.from({ length: 20 }, (_, index) => ({ id: index + 1, name: `H${index + 1}` }));
const errors = (made: Plan) =>
  made.problems.filter((each) => each.severity === 'error').map((each) => each.code);

describe('a list without hosts that entries pin', () => {
  it('any plan is refused when too many pinned hosts are missing, with changes or without', () => {
    const pinned = Array.from({ length: 8 }, (_, index) => ({ id: 500 + index }));
    const onPins = (entries: readonly GivenEntry[], limits: Partial<Limits> = {}) =>
      makePlan({
        desired: givenDesired([...pinned, ...entries], limits),
        observed: givenFleet(hosts),
        account,
        now: at,
      });
    expect(errors(onPins([]))).toEqual(['hosts-missing']);
    expect(errors(onPins([{ id: 1, name: 'NEW' }]))).toEqual(['hosts-missing']);
    expect(errors(onPins([], { missing: { kind: 'count', count: 8 } }))).toEqual([]);
    expect(exitForPlan(onPins([]), { detailed: false })).toBe(3);
  });
});

describe('a list without hosts', () => {
  const onEmpty = (
    entries: readonly GivenEntry[],
    options: Partial<PlanInputs> = {},
    limits: Partial<Limits> = {},
  ) =>
    makePlan({
      desired: givenDesired(entries, limits),
      observed: givenFleet([]),
      account,
      now: at,
      ...options,
    });

  it.each<readonly [string, readonly GivenEntry[]]>([
    ['one', [{ id: 1, name: 'A' }]],
    ['two', [{ id: 1, name: 'A' }, { id: 2 }]],
    ['one that must be absent', [{ id: 1, ensure: 'absent' }]],
  ])('is refused where entries pin ids: %s', (_, entries) => {
    const made = onEmpty(entries);
    expect(errors(made)).toEqual(['hosts-missing']);
    expect(made.problems.at(-1)?.message).toContain('the list has no hosts');
    expect(made.problems.at(-1)?.hint).toContain('--allow-empty-fleet');
    expect(exitForPlan(made, { detailed: false })).toBe(3);
  });
  it('is refused where the last run left hosts', () => {
    expect(errors(onEmpty([{ name: 'NEW' }], { lastFleetSize: 40 }))).toEqual(['hosts-missing']);
    expect(errors(onEmpty([{ name: 'NEW' }], { lastFleetSize: 0 }))).toEqual([]);
  });
  it('is right where nothing says otherwise', () => expect(errors(onEmpty([{ name: 'NEW' }]))).toEqual([]));
  it('is right where the user says so', () => {
    expect(errors(onEmpty([{ id: 1 }], { allowEmptyFleet: true, lastFleetSize: 40 }))).toEqual([]);
    const share = (percent: number): Partial<Limits> => ({ missing: { kind: 'share', percent } });
    expect(errors(onEmpty([{ id: 1 }], {}, share(100)))).toEqual([]);
    expect(errors(onEmpty([{ id: 1 }], {}, share(99)))).toEqual(['hosts-missing']);
    const count = (most: number): Partial<Limits> => ({ missing: { kind: 'count', count: most } });
    expect(errors(onEmpty([{ id: 1 }, { id: 2 }], {}, count(2)))).toEqual([]);
    expect(errors(onEmpty([{ id: 1 }, { id: 2 }], {}, count(1)))).toEqual(['hosts-missing']);
  });
});
