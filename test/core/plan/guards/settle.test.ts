import { describe, expect, it, test } from 'vitest';
import { noFacts } from '../../../../src/core/model/facts.ts';
import type { Diff, HostDifference } from '../../../../src/core/plan/difference/compare.ts';
import { rulesThatEnd, settleProblems } from '../../../../src/core/plan/guards/settle.ts';
import type { Claim } from '../../../../src/core/plan/intents/claim.ts';
import { outcomeOf } from '../../../../src/core/plan/ordering/outcome.ts';
import { givenDesired } from '../../../given/desired.ts';
import { givenFleet, groupId, hostId, named } from '../../../given/fleet.ts';
import { type GivenRule, givenRules } from '../../../given/rules.ts';

const berlin = { id: groupId(17), name: 'Berlin' };
const fleet = givenFleet(named('A', 'B', 'C'), { 17: 'Berlin' });

/** Places have the attribute as their file. */
function givenState(given: readonly GivenRule[] = [{}, {}]) {
  const placeOf = (line: number, file = '') => ({ file, line, col: 1 });
  const desired = givenDesired([{ id: 1 }, { id: 2 }, { id: 3 }], {}, givenRules(given));
  return { ...desired, placeOf, placeOfRule: placeOf };
}

const desired = givenState();
const byEntry: Claim = { kind: 'entry', index: 1 };
const byRule = (index: number, kind: 'rule' | 'temporary-name' = 'rule'): Claim => {
  const rule = desired.rules[index];
  if (rule === undefined) throw new Error(`no rule ${index}`);
  return { kind, rule };
};
const byGroup = (line: number): Claim => ({ kind: 'group', place: { file: 'groups.yaml', line, col: 1 } });

function changeOf(id: number, parts: Partial<HostDifference>): HostDifference {
  const host = fleet.byId(hostId(id));
  if (host === undefined) throw new Error(`no host ${id}`);
  return { host, antivirus: false, delete: false, claims: {}, ...parts };
}

describe('changes that a second plan would make', () => {
  interface Given {
    readonly again: readonly HostDifference[];
    readonly before?: readonly HostDifference[];
    readonly blocked?: readonly number[];
    readonly scope?: readonly number[];
  }
  const problemsOf = ({ again, before = [], blocked = [], scope = [1, 2, 3] }: Given) => {
    const chosen = new Set(scope.map(hostId));
    return settleProblems({
      desired,
      changes: before,
      again: { changes: again } as Diff,
      blocked: new Set(blocked.map(hostId)),
      scope: chosen,
    });
  };
  const messagesOf = (given: Given) => problemsOf(given).map(({ message }) => message);
  const renamed = changeOf(2, { rename: 'X', claims: { name: byEntry } });

  it('refuse the plan, at the place that requests them', () => {
    expect(problemsOf({ again: [renamed] })).toMatchObject([
      {
        severity: 'error',
        code: 'not-settled',
        message: 'after this plan, "B" (2) would be renamed again to "X"',
        place: { file: 'name', line: 1 },
        hostIds: ['2'],
      },
    ]);
    expect(messagesOf({ again: [changeOf(2, { move: berlin, claims: { group: byEntry } })] })).toEqual([
      'after this plan, "B" (2) would change again',
    ]);
    expect(problemsOf({ again: [changeOf(2, { delete: true })] })[0]).not.toHaveProperty('place');
  });

  it('do not matter for a host that the plan leaves out', () => {
    expect(problemsOf({ again: [renamed], scope: [1] })).toEqual([]);
  });

  test.each<[string, Partial<HostDifference>, number]>([
    ['only its rename', {}, 0],
    ['a move too', { move: berlin }, 1],
    ['an install too', { antivirus: true }, 1],
    ['a deletion too', { delete: true }, 1],
  ])('of a host whose rename is blocked: %s', (_what, parts, count) => {
    expect(problemsOf({ again: [{ ...renamed, ...parts }], blocked: [2] })).toHaveLength(count);
  });

  it('are one problem for all hosts that a single group moves out again', () => {
    const out = (id: number, line: number) =>
      changeOf(id, { move: berlin, claims: { group: byGroup(line) } });
    const shared = byGroup(5);
    const together = [1, 2].map((id) => changeOf(id, { move: berlin, claims: { group: shared } }));
    expect(problemsOf({ again: [...together, out(3, 9), renamed] })).toMatchObject([
      {
        code: 'not-settled',
        message: 'after this plan, "A" (1), "B" (2) would be moved again',
        place: { file: 'groups.yaml', line: 5 },
        hostIds: ['1', '2'],
      },
      { message: 'after this plan, "C" (3) would be moved again', place: { line: 9 } },
      { message: 'after this plan, "B" (2) would be renamed again to "X"' },
    ]);
  });

  it('are one problem for each rule, with the names of its first host', () => {
    const claims = { name: byRule(0) };
    const before = changeOf(1, { rename: 'X-A', claims });
    const again = { ...before, host: { ...before.host, name: 'X-A' }, rename: 'X-X-A' };
    const more = [2, 3].map((id) => changeOf(id, { rename: `X-X-${id}`, claims }));
    expect(problemsOf({ before: [before], again: [again, ...more] })).toMatchObject([
      {
        code: 'rule-not-settled',
        message: 'rule "rule 1" would rename "A" (1) to "X-A", and then to "X-X-A", and the same for 2 more',
        place: { file: 'rename', line: 0 },
        hostIds: ['1', '2', '3'],
      },
    ]);
    expect(messagesOf({ again: [again] })).toEqual([
      'rule "rule 1" would rename "X-A" (1) to "X-A", and then to "X-X-A"',
    ]);
  });

  test.each<[string, Partial<HostDifference>]>([
    ['a move', { move: berlin, claims: { group: byRule(1) } }],
    ['a deletion', { delete: true, claims: { ensure: byRule(1) } }],
    ['an install', { antivirus: true, claims: { antivirus: byRule(1) } }],
  ])('by a rule: %s', (_what, parts) => {
    expect(problemsOf({ again: [changeOf(1, parts)] })).toMatchObject([
      {
        code: 'rule-not-settled',
        message: 'rule "rule 2" would act again on "A" (1) after this plan',
        place: { file: 'when', line: 1 },
      },
    ]);
  });

  it('by the rule of an earlier temporary name', () => {
    const completed = changeOf(1, { rename: 'X', claims: { name: byRule(1, 'temporary-name') } });
    expect(problemsOf({ again: [completed] })).toMatchObject([
      { code: 'rule-not-settled', place: { file: 'rename' } },
    ]);
  });
});

describe('a rule that no longer matches after its own rename', () => {
  const endings = (given: GivenRule, ids: readonly number[]) => {
    const state = givenState([given]);
    const [rule] = state.rules;
    if (rule === undefined) throw new Error('no rule');
    const claims = { name: { kind: 'rule', rule } } as const;
    const changes = ids.map((id) => changeOf(id, { rename: `new-${id}`, claims }));
    return rulesThatEnd(state, changes, outcomeOf(new Set()), fleet, noFacts);
  };

  it('is one warning with its first host', () => {
    const given = { name: 'once', when: ({ name }: { readonly name: string }) => !name.startsWith('new') };
    expect(endings(given, [1, 2])).toMatchObject([
      {
        severity: 'warning',
        code: 'rule-ends-itself',
        message: 'rule "once" no longer matches "A" (1) after its rename to "new-1"',
        place: { file: 'when', line: 0 },
        hostIds: ['1'],
      },
    ]);
  });

  it('is not reported if the rule still matches, or has no answer', () => {
    expect(endings({}, [1])).toEqual([]);
    expect(endings({ when: ({ name }) => (name === 'A' ? true : new Error('no answer')) }, [1])).toEqual([]);
  });
});
