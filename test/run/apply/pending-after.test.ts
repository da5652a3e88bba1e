import { describe, expect, it } from 'vitest';
import type { InstallRequest } from '../../../src/core/model/install-request.ts';
import type { StepOutcome } from '../../../src/core/model/run-event.ts';
import type { StepSummary } from '../../../src/core/plan/types/run-summary.ts';
import { problem } from '../../../src/core/problem/problem.ts';
import { pendingAfter } from '../../../src/run/apply/pending-after.ts';
import { at, type GivenHost, givenFleet, hostId } from '../../given/fleet.ts';
import { givenPlan } from '../../given/plan.ts';
import { antivirusStep, moveStep } from '../../given/steps.ts';

const now = Date.parse(at);
const ago = (ms: number) => new Date(now - ms).toISOString();
const missing = (id: number): GivenHost => ({ id, name: `H${id}`, antivirus: 'missing' });
const installed = (id: number): GivenHost => ({ id, name: `H${id}`, antivirus: 'installed' });
const plan = givenPlan({ entries: [], hosts: [] });

interface Given {
  readonly outcome?: StepOutcome;
  /** Hosts of the step that failed, and whether each is in doubt. */
  readonly failed?: Readonly<Record<number, boolean>>;
  readonly before?: readonly GivenHost[];
  readonly after?: readonly GivenHost[];
  readonly recalled?: Readonly<Record<number, InstallRequest>>;
  readonly planned?: Readonly<Record<number, string>>;
  readonly step?: StepSummary['step'];
}

/** Each pending install: its host, its state and when it was requested, `now` for this run. */
function pending(given: Given): readonly string[] {
  const { outcome = 'done', failed = {}, before = [missing(1), missing(2)], after } = given;
  return pendingAfter({
    plan: {
      ...plan,
      pendingInstalls: Object.entries(given.planned ?? {}).map(([id, requestedAt]) => ({
        hostId: hostId(id),
        name: null,
        state: 'in-doubt',
        requestedAt,
      })),
    },
    steps: [
      {
        step: given.step ?? antivirusStep('s1', [1, 2]),
        outcome,
        failedHosts: Object.entries(failed).map(([id, inDoubt]) => ({
          hostId: hostId(id),
          problem: problem('network', 'given'),
          inDoubt,
        })),
      },
    ],
    before: givenFleet(before),
    after: after === undefined ? null : givenFleet(after),
    recall: {
      requests: new Map(Object.entries(given.recalled ?? {}).map(([id, each]) => [hostId(id), each])),
      windowMs: 1000,
      settleMs: 1000,
    },
    now,
  }).map(
    ({ hostId: id, state, requestedAt }) =>
      `${id} ${state} ${Date.parse(requestedAt) === now ? 'now' : `${now - Date.parse(requestedAt)} ms ago`}`,
  );
}

describe('an install is pending after a run', () => {
  it('if the service accepted it and no read shows it', () => {
    expect(pending({})).toEqual(['1 in-progress now', '2 in-progress now']);
    expect(pending({ after: [installed(1), missing(2)] })).toEqual(['2 in-progress now']);
    expect(pending({ before: [installed(1), missing(2)], after: [missing(1), missing(2)] })).toEqual([
      '2 in-progress now',
    ]);
  });
  it.each(['already', 'skipped', 'not-started', 'failed'] as const)('not if its step was %s', (outcome) => {
    expect(pending({ outcome })).toEqual([]);
  });
  it('for the other hosts of a step that failed for some', () => {
    expect(pending({ outcome: 'failed', failed: { 1: false } })).toEqual(['2 in-progress now']);
  });
  it('in doubt for the hosts whose reply was lost, and in progress for those before them', () => {
    expect(pending({ outcome: 'unknown' })).toEqual(['1 in-doubt now', '2 in-doubt now']);
    expect(pending({ outcome: 'unknown', failed: { 2: true } })).toEqual([
      '1 in-progress now',
      '2 in-doubt now',
    ]);
    expect(pending({ outcome: 'unknown', failed: { 2: false } })).toEqual(['1 in-doubt now']);
  });
});

describe('an install that an earlier run requested', () => {
  it('of a host that is not listed does not count', () => {
    const recalled = { 1: { state: 'accepted', requestedAt: ago(500) } } as const;
    expect(pending({ outcome: 'already', recalled, before: [] })).toEqual([]);
  });
  it('that the plan deferred is pending until its window has passed', () => {
    const step = moveStep('s1', [1], 10);
    expect(pending({ step, planned: { 1: ago(999), 2: ago(1000) } })).toEqual(['1 in-doubt 999 ms ago']);
  });
});
