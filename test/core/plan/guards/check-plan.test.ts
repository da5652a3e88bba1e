import { describe, expect, it, test } from 'vitest';
import type { ChangePattern, PlanExpectation } from '../../../../src/core/model/plan-expectation.ts';
import { noPolicy } from '../../../../src/core/model/policy.ts';
import { checkPlan } from '../../../../src/core/plan/guards/check-plan.ts';
import { warning } from '../../../../src/core/problem/problem.ts';
import { givenFleet, hostId, named } from '../../../given/fleet.ts';
import { givenPlan } from '../../../given/plan.ts';

const at = (line: number) => ({ file: 'fleet.test.yaml', line, col: 1 });
const hosts = named('A', 'B');
const groups = { 17: 'Berlin' };
const plan = givenPlan({
  hosts,
  groups,
  entries: [
    { id: 1, name: 'X', group: 'Berlin' },
    { id: 2, ensure: 'absent' },
  ],
});

function textsOf(expected: Partial<PlanExpectation>, made = plan, exit = 0): readonly string[] {
  return checkPlan(
    { includes: [], never: [], summary: [], ...expected },
    { plan: made, observed: givenFleet(hosts, groups), policy: noPolicy, exit },
  ).map(
    ({ kind, text, place, hint }) => `${kind} ${place.line}: ${text}${hint === undefined ? '' : ` ${hint}`}`,
  );
}

const any: ChangePattern = { rename: 'any', move: 'any', delete: 'any', place: at(1) };
const missingHost: ChangePattern = { host: { kind: 'id', id: hostId(9) }, rename: 'any', place: at(2) };

describe('a plan is as expected', () => {
  test.each<[string, Partial<PlanExpectation>]>([
    ['with nothing expected of it', {}],
    ['with exactly its changes', { changes: { all: [any], place: at(1) } }],
    ['with some of its changes', { includes: [{ move: 'any', place: at(1) }] }],
    ['without changes that it must never have', { never: [{ antivirus: 'any', place: at(1) }] }],
  ])('%s', (_what, expected) => expect(textsOf(expected)).toEqual([]));
});

describe('a plan fails the expectation', () => {
  it('if an exact list of changes names a host that does not exist', () => {
    expect(textsOf({ changes: { all: [any, missingHost], place: at(1) } })).toEqual([
      'wrong 2: the fleet has no host 9',
      'missing 2: rename host 9',
    ]);
  });

  it('if a change of an exact list is missing, at the place of that change', () => {
    const install: ChangePattern = { antivirus: 'any', place: at(3) };
    expect(textsOf({ changes: { all: [any, install], place: at(1) } })).toEqual([
      'missing 3: install the anti-virus on any host',
    ]);
  });

  it('if it makes one of several forbidden changes', () => {
    const never: ChangePattern = { antivirus: 'any', delete: 'any', place: at(4) };
    expect(textsOf({ never: [never] })).toEqual(['unexpected 4: delete "B" (2)']);
  });

  it('if its exit code or a count differs', () => {
    const expected = {
      exit: { code: 0, place: at(5) },
      summary: [{ name: 'rename', count: 2, place: at(6) }] as const,
    };
    expect(textsOf(expected, plan, 6)).toEqual([
      'wrong 6: rename is 1, not 2',
      'wrong 5: the exit code is 6, not 0',
    ]);
  });

  const warned = {
    ...plan,
    problems: [
      warning('policy-warning', 'look twice', { policy: 'renames' }),
      warning('unmanaged-hosts', '1 host is unmanaged'),
    ],
  };
  const expecting = (...words: readonly string[]) => ({
    warnings: { all: words.map((word, index) => ({ word, place: at(10 + index) })), place: at(9) },
  });

  it('only by its missing or unexpected warnings', () => {
    expect(textsOf(expecting('renames', 'unmanaged-hosts'), warned)).toEqual([]);
    expect(textsOf(expecting('unmanaged-hosts'), warned)).toEqual([
      'unexpected 9: warning "policy-warning": look twice',
    ]);
  });

  it('and suggests a name only for one that does not exist', () => {
    expect(textsOf(expecting('renames', 'unmanaged-hosts', 'exclusive-group'), warned)).toEqual([
      'missing 12: warning "exclusive-group"',
    ]);
    expect(textsOf(expecting('renames', 'unmanaged-hosts', 'exclusive-grup'), warned)).toEqual([
      'missing 12: warning "exclusive-grup" did you mean "exclusive-group"?',
    ]);
  });
});
