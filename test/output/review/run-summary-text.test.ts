import { describe, expect, it } from 'vitest';
import type { HostId } from '../../../src/core/model/observed.ts';
import type { StepSummary } from '../../../src/core/plan/types/run-summary.ts';
import { type Problem, problem } from '../../../src/core/problem/problem.ts';
import { plainColor } from '../../../src/output/review/color.ts';
import type { RunReport } from '../../../src/output/review/run-report.ts';
import { paintRunSummary } from '../../../src/output/review/run-summary-text.ts';
import { givenPlan } from '../../given/plan.ts';

const { steps } = givenPlan({
  entries: [
    { id: 1, name: 'B' },
    { id: 2, name: 'C' },
    { id: 3, group: 'Berlin' },
    { id: 4, group: 'Berlin' },
  ],
  hosts: [
    { id: 1, name: 'A' },
    { id: 2, name: 'B' },
    { id: 3, name: 'M\u001b[1m' },
    { id: 4, name: 'N' },
  ],
  groups: { 17: 'Berlin' },
});

describe('the summary of a run', () => {
  it('is short when all went well', () => {
    expect(paint({ steps: reports('done', 'done', 'done'), verified: true, converged: true })).toBe(
      'Apply: 3 of 3 steps done; 3 calls sent.\nVerified: the fleet matches the plan.\nRun run-1.\n',
    );
  });

  it('names each step that failed with its reason and the steps that were skipped because of it', () => {
    const taken = problem('conflict', 'the name is taken by host 9', { hint: 'plan again' });
    const text = paint({ steps: reports(['failed', taken], 'skipped', 'done'), converged: null });
    expect(text).toContain('Failed\n  rename B → C (host 2): the name is taken by host 9; plan again\n');
    expect(text).toContain('Skipped\n  rename A → B (host 1)\n');
    expect(text).toContain('Apply: 1 of 3 steps done, 1 failed, 1 skipped; 3 calls sent.');
    expect(text).toContain('Not verified, because not every step is done');
  });

  it('names the hosts that a batch left out, escaped', () => {
    const [first, second, third] = reports('done', 'done', 'done');
    const gone = problem('not-found', 'no such host');
    const text = paint({
      steps: [
        first,
        second,
        { ...(third as StepSummary), failedHosts: [{ hostId: '3', problem: gone }] },
      ] as StepSummary[],
      converged: null,
    });
    expect(text).toContain(
      'Done except for some hosts\n  move 2 hosts to Berlin\n    M␛[1m (host 3): no such host\n',
    );
  });

  it('says how to continue after an interrupt', () => {
    const text = paint({
      steps: reports('done', 'not-started', 'not-started'),
      interrupted: true,
      converged: null,
    });
    expect(text).toContain('Interrupted at a safe point: run the same command again to continue.');
    expect(text).toContain('2 not started');
    expect(text).toContain('Not started: 2 steps. The next apply continues with them.\n\nApply');
  });

  it('says that verification found differences, which the problems name on stderr', () => {
    const text = paint({
      steps: reports('done', 'done', 'done'),
      problems: [problem('not-converged', 'host 1 still needs: the name "B"')],
      verified: false,
      converged: false,
    });
    expect(text).toContain('Not verified: a read finds differences, see above.');
    expect(text).not.toContain('not-converged');
  });

  it('counts rate-limited calls separately', () => {
    const rateLimited = { rename: 2, move: 1, delete: 0, antivirus: 0, refresh: 0 };
    expect(
      paint({ steps: reports('done', 'done', 'done'), verified: true, converged: true, rateLimited }),
    ).toContain('3 of 3 steps done; 3 calls sent, and 3 more refused by a rate limit.\n');
  });

  it('does not call an install verified if no read has shown it', () => {
    const pending = (state: 'in-progress' | 'in-doubt') => ({
      hostId: '1' as HostId,
      name: 'A',
      state,
      requestedAt: '2026-11-21T09:00:00.000Z',
    });
    const accepted = paint({ steps: [], verified: true, pendingInstalls: [pending('in-progress')] });
    expect(accepted).toContain(
      'Verified except for 1 install in progress: see rampart hosts antivirus status.\n',
    );
    expect(accepted).toContain(
      '1 install in progress: accepted by the service, not shown by a read yet\n  …  A  1  requested at 2026-11-21T09:00:00.000Z\n',
    );
    const doubtful = paint({ steps: [], verified: true, pendingInstalls: [pending('in-doubt')] });
    expect(doubtful).toContain('0 of 0 steps done, 1 install in doubt;');
    expect(doubtful).toContain('1 install in doubt: may have been requested, never acknowledged');
  });

  it('does not claim a verification that did not happen', () => {
    expect(paint({ steps: reports('done', 'done', 'done'), converged: null })).toContain(
      'Not verified: the fleet could not be read again.',
    );
  });
});

type Outcome = StepSummary['outcome'];

function reports(...outcomes: (Outcome | readonly [Outcome, Problem])[]): readonly StepSummary[] {
  return steps.map((step, index) => {
    const given = outcomes[index] ?? 'done';
    const [outcome, cause] = typeof given === 'string' ? [given, undefined] : given;
    return { step, outcome, failedHosts: [], ...(cause === undefined ? {} : { problem: cause }) };
  });
}

function paint(parts: Partial<RunReport>): string {
  const report: RunReport = {
    runId: 'run-1',
    steps: [],
    problems: [],
    unrecorded: [],
    sent: { rename: 2, move: 1, delete: 0, antivirus: 0, refresh: 0 },
    interrupted: false,
    verified: null,
    converged: null,
    pendingInstalls: [],
    ...parts,
  };
  return paintRunSummary(report, { color: plainColor });
}
