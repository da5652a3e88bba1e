import { describe, expect, it, test } from 'vitest';
import { parseChangeWindow } from '../../../../src/core/model/parse-change-window.ts';
import { type Freeze, noPolicy, type Policy } from '../../../../src/core/model/policy.ts';
import { atTime, constraintsOf, timeProblems } from '../../../../src/core/plan/guards/time-problems.ts';
import type { Constraints, Plan } from '../../../../src/core/plan/types/plan.ts';
import { problem, warning } from '../../../../src/core/problem/problem.ts';

const place = { file: 'fleet.yaml', line: 2, col: 3 };
const nights = 'Mon-Fri 22:00-23:00 UTC';
const mornings = 'Mon-Fri 05:00-06:00 UTC';
const monday = (time: string) => `2026-11-23T${time}Z`;
const freeze = (parts: Partial<Freeze>): Constraints => ({
  windows: [],
  freezes: [{ name: 'year end', place, ...parts }],
});
const window = (only: readonly string[], more: { readonly message?: string } = {}): Constraints => ({
  windows: [{ name: 'nights', kinds: ['rename', 'delete'], only, place, ...more }],
  freezes: [],
});
const codes = (constraints: Constraints, now: string) =>
  timeProblems({ constraints }, now).map(({ code }) => code);

describe('a freeze', () => {
  const from = monday('08:00:00');
  const until = monday('10:00:00');
  test.each([
    ['before its start', { from, until }, monday('07:59:59'), false],
    ['at its start', { from, until }, from, true],
    ['just before its end', { from, until }, monday('09:59:59'), true],
    ['at its end', { from, until }, until, false],
    ['without a start', { until }, monday('01:00:00'), true],
    ['without a start, after its end', { until }, monday('11:00:00'), false],
    ['without an end', { from }, '2030-01-01T00:00:00Z', true],
    ['without either', {}, from, true],
  ])('%s', (_when, parts, now, isFrozen) => {
    expect(codes(freeze(parts), now)).toEqual(isFrozen ? ['frozen'] : []);
  });

  it('is an error that no flag lifts, with its place and name', () => {
    expect(timeProblems({ constraints: freeze({ until, message: 'closing' }) }, from)).toEqual([
      problem('frozen', `closing: no change is allowed before ${until} (freeze "year end")`, {
        place,
        policy: 'year end',
        hint: expect.stringContaining('no flag overrides a freeze') as string,
      }),
    ]);
    expect(timeProblems({ constraints: freeze({}) }, from)[0]?.message).toBe(
      'the fleet is frozen: no change is allowed while this freeze is in the file (freeze "year end")',
    );
  });
});

describe('a window', () => {
  it('refuses outside its hours, and shows which changes wait until when', () => {
    expect(timeProblems({ constraints: window([nights]) }, monday('12:00:00'))).toMatchObject([
      {
        code: 'outside-window',
        severity: 'error',
        message: `changes are not allowed now: renames and deletions must wait for ${nights} (window "nights")`,
        policy: 'nights',
        place,
        hint: 'opens Mon 2026-11-23 22:00 UTC',
      },
    ]);
    const [own] = timeProblems(
      { constraints: window([nights], { message: 'people work by day' }) },
      monday('12:00:00'),
    );
    expect(own?.message).toContain('people work by day: renames and deletions must wait');
  });

  it('is open during any of its hours', () => {
    const both = window([nights, mornings]);
    expect(codes(both, monday('22:30:00'))).toEqual([]);
    expect(codes(both, monday('05:30:00'))).toEqual([]);
    expect(codes(both, monday('23:00:00'))).toEqual(['outside-window']);
  });

  it("stays closed if its hours can't be read", () => {
    expect(codes(window(['whenever']), monday('22:30:00'))).toEqual(['outside-window']);
  });
});

it('a plan without constraints can be applied at any time', () => {
  expect(timeProblems({}, monday('12:00:00'))).toEqual([]);
});

describe('the same plan at another time', () => {
  const shut = problem('outside-window', 'given');
  const planOf = (constraints: Constraints | undefined, problems: Plan['problems']) =>
    ({ problems, applicable: false, ...(constraints === undefined ? {} : { constraints }) }) as Plan;

  it('becomes applicable once its window opens or its freeze ends, and the reverse', () => {
    const open = atTime(planOf(window([nights]), [shut]), monday('22:30:00'));
    expect(open).toMatchObject({ problems: [], applicable: true });
    const frozen = atTime(planOf(freeze({}), []), monday('22:30:00'));
    expect(frozen).toMatchObject({ problems: [{ code: 'frozen' }], applicable: false });
    const over = atTime(
      planOf(freeze({ until: monday('10:00:00') }), [problem('frozen', 'given')]),
      monday('10:00:00'),
    );
    expect(over).toMatchObject({ problems: [], applicable: true });
  });

  it('keeps its other problems, and stays refused if one of them is an error', () => {
    const kept = warning('policy-warning', 'given');
    expect(atTime(planOf(window([nights]), [kept, shut]), monday('22:30:00'))).toMatchObject({
      problems: [kept],
      applicable: true,
    });
    const denied = problem('denied', 'given');
    expect(atTime(planOf(window([nights]), [denied]), monday('22:30:00'))).toMatchObject({
      problems: [denied],
      applicable: false,
    });
  });

  it('is unchanged if nothing depends on the time', () => {
    const plan = planOf(undefined, [shut]);
    expect(atTime(plan, monday('22:30:00'))).toBe(plan);
  });
});

describe('the constraints of a policy', () => {
  const parsed = parseChangeWindow(nights);
  const only = parsed.ok ? [parsed.window] : [];
  const policy: Policy = {
    ...noPolicy,
    windows: [
      { name: 'deletions at night', only, kinds: ['delete'], place },
      { name: 'all at night', only, place },
    ],
  };
  const all = new Set(['rename', 'move', 'antivirus', 'delete'] as const);

  it('are the windows for the kinds of changes in the plan', () => {
    expect(constraintsOf(policy, new Set(['rename']))).toEqual({
      windows: [{ name: 'all at night', kinds: ['rename'], only: [nights], place }],
      freezes: [],
    });
    expect(constraintsOf(policy, all)?.windows.map(({ kinds }) => kinds)).toEqual([
      ['delete'],
      ['rename', 'move', 'antivirus', 'delete'],
    ]);
  });

  it('are absent for a plan without changes, and for a policy without times', () => {
    expect(constraintsOf(policy, new Set())).toBeUndefined();
    expect(constraintsOf(noPolicy, all)).toBeUndefined();
    expect(
      constraintsOf({ ...noPolicy, windows: policy.windows.slice(0, 1) }, new Set(['move'])),
    ).toBeUndefined();
  });

  it('include every freeze', () => {
    const freezes = [{ name: 'year end', place }];
    expect(constraintsOf({ ...noPolicy, freezes }, new Set(['move']))).toEqual({ windows: [], freezes });
  });
});
