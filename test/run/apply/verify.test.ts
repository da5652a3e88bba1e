import { describe, expect, it } from 'vitest';
import type { Observed } from '../../../src/core/model/observed.ts';
import { temporaryName } from '../../../src/core/model/temporary-name.ts';
import type { Step } from '../../../src/core/plan/types/step.ts';
import { problem } from '../../../src/core/problem/problem.ts';
import { type Evidence, verify } from '../../../src/run/apply/verify.ts';
import { type GivenHost, givenFleet, hostId } from '../../given/fleet.ts';
import { givenPlan } from '../../given/plan.ts';
import {
  antivirusStep,
  deleteStep,
  moveStep,
  refreshStep,
  renameStep,
  temporaryRenameStep,
} from '../../given/steps.ts';

const empty = givenPlan({ entries: [], hosts: [] });
const groups = { 10: 'Berlin' };
const hosts = (...ids: readonly number[]): readonly GivenHost[] => ids.map((id) => ({ id, name: `H${id}` }));
const given = (of: readonly GivenHost[], parts: Partial<Observed> = {}): Observed => ({
  ...givenFleet(of, groups),
  ...parts,
});

interface Case {
  readonly steps: readonly Step[];
  readonly before?: Observed;
  readonly after: Observed;
  readonly again?: Partial<NonNullable<Evidence['again']>>;
  readonly saved?: boolean;
  readonly leavesOthers?: boolean;
  /** How many hosts the plan knew. */
  readonly knew?: number;
}

const problemsOf = ({ steps, before, after, again, saved = false, leavesOthers = false, knew = 0 }: Case) =>
  verify({
    plan: { ...empty, steps, observed: { ...empty.observed, hosts: knew } },
    before: before ?? after,
    after,
    ...(again === undefined ? {} : { again: { ...empty, ...again } }),
    isSaved: saved,
    leavesOthers,
    isDeletedElsewhere: () => false,
  });
const messages = (of: Case) => problemsOf(of).map(({ message }) => message);
const planned = (...steps: readonly Step[]) => ({ steps });

describe('a host that a run changed', () => {
  it('still needs the changes that the list does not show', () => {
    const temporary = temporaryRenameStep('s2', { id: 2 }, 'X');
    const steps = [
      renameStep('s1', { id: 1 }, 'X'),
      temporary,
      moveStep('s3', [3], 10),
      moveStep('s4', [{ id: 4, group: 10 }], -1, null),
      deleteStep('s5', [5]),
    ];
    const after = given([...hosts(1, 2, 3), { id: 4, name: 'H4', group: 10 }, ...hosts(5)]);
    expect(messages({ steps, after, again: {} })).toEqual([
      'host 1 still needs: the name "X"',
      `host 2 still needs: the temporary name "${temporary.to}"`,
      'host 3 still needs: the group "Berlin"',
      'host 4 still needs: a move to no group',
      'host 5 still needs: its deletion',
    ]);
    expect(new Set(problemsOf({ steps, after, again: {} }).map(({ code }) => code))).toEqual(
      new Set(['not-converged']),
    );
  });
  it('must be in the list, under its name if it has one', () => {
    const steps = [renameStep('s1', { id: 1 }, 'X'), renameStep('s2', { id: 2, name: null }, 'Y')];
    const found = problemsOf({ steps, after: given([]), again: {} });
    expect(found.map(({ code, message }) => [code, message])).toEqual([
      [
        'not-converged',
        'this run changed host 1, known as "H1", but the list read after the run does not contain the host',
      ],
      ['not-converged', 'this run changed host 2, but the list read after the run does not contain the host'],
    ]);
  });
  it('is reported once, and other hosts separately', () => {
    const steps = [renameStep('s1', { id: 1 }, 'X')];
    const after = given(hosts(1, 2));
    expect(messages({ steps, after, again: planned(renameStep('s1', { id: 1 }, 'X')) })).toHaveLength(1);
    const conflict = { id: 9, name: 'x' };
    expect(
      problemsOf({ steps, after: given([...hosts(1), conflict]) }).map(({ hostIds }) => hostIds),
    ).toEqual([['1'], ['1', '9']]);
  });
});

describe('a host in which someone else changed what the run did not write', () => {
  const steps = [renameStep('s1', { id: 1 }, 'X')];
  const moved = given([{ id: 1, name: 'X', group: 10 }]);

  it('is a difference for a run that does a plan as a whole', () => {
    expect(messages({ steps, after: moved })).toEqual(['"H1" (1) is now in the group "Berlin"']);
  });
  it('is left to the next plan by a run that does it unit by unit', () => {
    expect(messages({ steps, after: moved, leavesOthers: true })).toEqual([]);
  });
});

describe('a deletion', () => {
  const steps = [deleteStep('s1', [1])];

  it('is proven by a list that has all other hosts', () => {
    expect(messages({ steps, before: given(hosts(1, 2)), after: given(hosts(2)), again: {} })).toEqual([]);
  });
  it('is not proven by a list in which another host is missing', () => {
    const found = problemsOf({ steps, before: given(hosts(1, 2)), after: given([]), again: {} });
    expect(found.map(({ code, hostIds }) => [code, hostIds])).toEqual([
      ['not-converged', ['2']],
      ['not-converged', ['1']],
    ]);
    expect(found[0]?.message).toContain('lacks "H2" (2), which this run did not delete');
  });
  it("is not proven by a list with hosts that can't be read", () => {
    const unreadable = [{ position: 0, why: 'given', id: hostId(1) }];
    const found = problemsOf({
      steps,
      before: given(hosts(1, 2)),
      after: given([], { unreadable }),
      again: {},
    });
    expect(found.map(({ code, hostIds }) => [code, hostIds])).toEqual([['not-converged', ['1']]]);
  });
  it.each([
    ['1 host', 4, hosts(2, 3), hosts(2, 3)],
    ['2 hosts', 5, hosts(2, 3), hosts(2, 3)],
  ] as const)(
    'of a saved plan is not proven if %s were missing from the list from the start',
    (words, knew, before, after) => {
      const found = messages({ steps, before: given(before), after: given(after), saved: true, knew });
      expect(found[0]).toBe(
        `the list lacks ${words} that existed when the plan was made and that this run did not delete`,
      );
      expect(found).toHaveLength(2);
    },
  );
  it("is proven by this run's reads alone, if the host was in the list or the plan is not older", () => {
    const there = { steps, before: given(hosts(1, 2)), after: given(hosts(2)), knew: 4 };
    expect(messages({ ...there, saved: true })).toEqual([]);
    expect(messages({ steps, before: given(hosts(2)), after: given(hosts(2)), knew: 4, again: {} })).toEqual(
      [],
    );
  });
});

describe('a plan that is made again', () => {
  it('is not needed to find a temporary name that a saved plan left', () => {
    const name = temporaryName('rename', hostId(1), 'X', { taken: new Set() });
    expect(problemsOf({ steps: [], after: given([{ id: 1, name }]), saved: true })).toMatchObject([
      { code: 'not-converged', severity: 'error' },
    ]);
  });
  it('may still contain requested installs, and refreshes, and nothing else', () => {
    const steps = [antivirusStep('s1', [1])];
    const again = planned(
      antivirusStep('s1', [1, 2]),
      refreshStep('s2', [1, 2]),
      moveStep('s3', [1], 10),
      renameStep('s4', { id: 2 }, 'X'),
    );
    expect(messages({ steps, after: given(hosts(1, 2)), again })).toEqual([
      'host 2 still needs: the anti-virus',
      'host 1 still needs: the group "Berlin"',
      'host 2 still needs: the name "X"',
    ]);
  });
  it('reports a left temporary name as an error, but not a name that only looks like one', () => {
    const again = {
      problems: (['temporary-name-left', 'lookalike-name', 'other-file'] as const).map((code) => ({
        ...problem('conflict', code, { hostIds: ['1'] }),
        code: code as 'conflict',
        severity: 'warning' as const,
      })),
    };
    expect(
      problemsOf({ steps: [], after: given([]), again }).map(({ code, severity }) => [code, severity]),
    ).toEqual([
      ['not-converged', 'error'],
      ['lookalike-name', 'warning'],
    ]);
  });
});
