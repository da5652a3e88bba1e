import { describe, expect, it, test } from 'vitest';
import type { HostId } from '../../../src/core/model/observed.ts';
import type { StepOutcome } from '../../../src/core/model/run-event.ts';
import type { PendingInstall, Plan } from '../../../src/core/plan/types/plan.ts';
import type { RunSummary, StepSummary } from '../../../src/core/plan/types/run-summary.ts';
import type { Step } from '../../../src/core/plan/types/step.ts';
import { problem, warning } from '../../../src/core/problem/problem.ts';
import type { ProblemCode } from '../../../src/core/problem/problem-code.ts';
import { exitCodeOf, exitForNothingToDo, exitForPlan, exitForRun } from '../../../src/run/apply/exit-code.ts';

const problemOf = (code: ProblemCode) => problem(code, 'given');
const warningOf = (code: ProblemCode) => warning(code, 'given');

const families: readonly (readonly [ProblemCode, number])[] = [
  ['usage', 3],
  ['unknown-group', 3],
  ['limit-exceeded', 6],
  ['read-only', 6],
  ['stale-plan', 7],
  ['other-account', 7],
  ['not-authenticated', 4],
  ['forbidden', 4],
  ['network', 1],
  ['step-failed', 5],
  ['not-converged', 8],
  ['lock-held', 1],
];

describe('the exit code of problems', () => {
  test.each(families)('%s ends with %i', (code, exit) => {
    expect(exitCodeOf([problemOf(code)])).toBe(exit);
  });

  it('a cancelled call ends as interrupted, not as a failure of the service', () => {
    expect(exitCodeOf([problemOf('cancelled')])).toBe(130);
  });

  it('a list that contradicts itself is an error, not invalid input', () => {
    expect(exitCodeOf([problemOf('list-inconsistent')])).toBe(1);
  });

  it('warnings do not count', () => {
    expect(exitCodeOf([warningOf('limit-exceeded'), warningOf('usage')])).toBe(0);
    expect(exitCodeOf([])).toBe(0);
  });

  /** In order of precedence: each precedes its neighbor below. */
  const ranked: readonly ProblemCode[] = [
    'cancelled',
    'forbidden',
    'usage',
    'stale-plan',
    'limit-exceeded',
    'step-failed',
    'not-converged',
    'network',
  ];
  test.each(ranked.slice(1).map((below, index) => [ranked[index] as ProblemCode, below] as const))(
    '%s takes precedence over %s, in either order',
    (first, second) => {
      const expected = exitCodeOf([problemOf(first)]);
      expect(exitCodeOf([problemOf(first), problemOf(second)])).toBe(expected);
      expect(exitCodeOf([problemOf(second), problemOf(first)])).toBe(expected);
    },
  );
});

const step = { kind: 'rename', id: 's1', host: '1', from: 'A', to: 'B' } as unknown as Step;
const planOf = (parts: Partial<Plan> = {}) =>
  ({
    problems: [],
    steps: [step],
    calls: { planned: 1 },
    summary: { installsInDoubt: 0 },
    ...parts,
  }) as unknown as Plan;
const doubtful = { installsInDoubt: 1 } as Plan['summary'];
const nothing = { steps: [], calls: { planned: 0 } as Plan['calls'] };
const pendingOf = (state: PendingInstall['state']): PendingInstall => ({
  hostId: '1' as HostId,
  name: 'A',
  state,
  requestedAt: '2026-11-21T09:00:00.000Z',
});
const stepOf = (outcome: StepOutcome, code?: ProblemCode): StepSummary => ({
  step,
  outcome,
  failedHosts: [],
  ...(code === undefined ? {} : { problem: problemOf(code) }),
});
const runOf = (parts: Partial<RunSummary>): RunSummary => ({
  runId: 'r1',
  steps: [],
  problems: [],
  unrecorded: [],
  sent: {} as RunSummary['sent'],
  interrupted: false,
  verified: true,
  converged: true,
  pendingInstalls: [],
  lastRead: null,
  left: null,
  ...parts,
});
const exitOf = (parts: Partial<RunSummary>, plan = planOf()) => exitForRun(runOf(parts), plan);

describe('the exit code of a plan', () => {
  it('is 2 only with --detailed-exitcode and steps', () => {
    expect(exitForPlan(planOf(), { detailed: true })).toBe(2);
    expect(exitForPlan(planOf(), { detailed: false })).toBe(0);
    expect(exitForPlan(planOf(nothing), { detailed: true })).toBe(0);
  });
  it('is 2 with --detailed-exitcode and an install in doubt', () => {
    const inDoubt = planOf({ ...nothing, summary: doubtful });
    expect(exitForPlan(inDoubt, { detailed: true })).toBe(2);
    expect(exitForPlan(inDoubt, { detailed: false })).toBe(0);
  });
  it('is first of all that of its problems', () => {
    const refused = planOf({ problems: [problemOf('limit-exceeded')] });
    expect(exitForPlan(refused, { detailed: true })).toBe(6);
  });
});

describe('the exit code of an apply with nothing to send', () => {
  it('is 0, or 5 if an install is in doubt, or that of the problems', () => {
    expect(exitForNothingToDo(planOf(nothing))).toBe(0);
    expect(exitForNothingToDo(planOf({ ...nothing, summary: doubtful }))).toBe(5);
    const refused = { ...nothing, summary: doubtful, problems: [problemOf('limit-exceeded')] };
    expect(exitForNothingToDo(planOf(refused))).toBe(6);
  });
});

describe('the exit code of a run', () => {
  it('is 5 while an install is in doubt, and 0 while it is in progress', () => {
    const done = { steps: [stepOf('done')], converged: null };
    expect(exitOf({ ...done, pendingInstalls: [pendingOf('in-doubt')] })).toBe(5);
    expect(exitOf({ ...done, pendingInstalls: [pendingOf('in-progress')] })).toBe(0);
  });

  it('is 0 if every step was done and a read showed it', () => {
    expect(exitOf({ steps: [stepOf('done'), stepOf('already')] })).toBe(0);
  });

  test.each(['failed', 'unknown', 'skipped', 'not-started'] as const)(
    'is 5 if one step of several is %s',
    (outcome) => {
      expect(exitOf({ steps: [stepOf('done'), stepOf(outcome)], converged: null })).toBe(5);
      expect(exitOf({ steps: [stepOf(outcome), stepOf('done')], converged: null })).toBe(5);
    },
  );

  it('is 0 with hosts left out for the next plan only if a read verified the others', () => {
    const steps = [stepOf('done'), stepOf('skipped', 'stale-plan')];
    expect(exitOf({ steps, verified: true, converged: null })).toBe(0);
    expect(exitOf({ steps, verified: null, converged: null })).toBe(5);
    expect(exitOf({ steps: [stepOf('done'), stepOf('skipped')], verified: true, converged: null })).toBe(5);
  });

  it('is 5 if the plan left out blocked hosts', () => {
    const blocked = planOf({ problems: [warningOf('blocked')] });
    expect(exitOf({ steps: [stepOf('done')] }, blocked)).toBe(5);
    const warned = planOf({ problems: [warningOf('name-conflict')] });
    expect(exitOf({ steps: [stepOf('done')] }, warned)).toBe(0);
  });

  it('is 8 if all steps are done and verification finds differences', () => {
    const differs = {
      steps: [stepOf('done')],
      verified: false,
      converged: false,
      problems: [problemOf('not-converged')],
    };
    expect(exitOf(differs)).toBe(8);
    expect(exitOf({ ...differs, problems: [] })).toBe(8);
  });

  it('is 130 if it was interrupted, whatever else happened', () => {
    expect(exitOf({ interrupted: true, steps: [stepOf('failed', 'forbidden')], converged: null })).toBe(130);
  });

  it('is 4 if the credentials were refused during the run', () => {
    expect(exitOf({ steps: [stepOf('done'), stepOf('failed', 'forbidden')], converged: null })).toBe(4);
    expect(exitOf({ steps: [stepOf('failed', 'conflict'), stepOf('done')], converged: null })).toBe(5);
  });

  it('ignores the cause of a failure that was resolved later', () => {
    expect(exitOf({ steps: [stepOf('done', 'forbidden')] })).toBe(0);
  });

  it('is that of the problem that kept every step from starting', () => {
    const notStarted = [stepOf('not-started'), stepOf('not-started')];
    expect(exitOf({ steps: notStarted, problems: [problemOf('stale-plan')], converged: null })).toBe(7);
    expect(exitOf({ steps: notStarted, problems: [problemOf('network')], converged: null })).toBe(1);
    expect(exitOf({ steps: notStarted, converged: null })).toBe(5);
  });

  it('is 5, not that of a later problem, once a step was sent', () => {
    const half = [stepOf('done'), stepOf('not-started')];
    expect(exitOf({ steps: half, problems: [problemOf('stale-plan')], converged: null })).toBe(5);
  });

  it('is 8 if all steps are done and no read could verify them', () => {
    const unread = { steps: [stepOf('done')], verified: null, converged: null };
    expect(exitOf({ ...unread, problems: [problemOf('network')] })).toBe(8);
    expect(exitOf(unread)).toBe(8);
  });

  it('is not that of a difference while the run has other problems of its own', () => {
    const steps = [stepOf('not-started')];
    expect(exitOf({ steps, problems: [problemOf('not-converged')], converged: null })).toBe(5);
  });
});
