import { describe, expect, it } from 'vitest';
import { hostsOf } from '../../../src/core/model/observed.ts';
import type { StepOutcome } from '../../../src/core/model/run-event.ts';
import type { Step } from '../../../src/core/plan/types/step.ts';
import { problem } from '../../../src/core/problem/problem.ts';
import { leftFleet } from '../../../src/run/apply/left-fleet.ts';
import { givenFleet } from '../../given/fleet.ts';
import { antivirusStep, deleteStep, moveStep, renameStep, temporaryRenameStep } from '../../given/steps.ts';

const before = givenFleet(
  [
    { id: 1, name: 'H1', antivirus: 'missing' },
    { id: 2, name: 'H2' },
  ],
  { 10: 'Berlin' },
);
const cause = problem('conflict', 'given');

/** Each host after the run: its name, and its group where it has one. */
function left(step: Step, outcome: StepOutcome, failed: readonly string[] = []): readonly string[] {
  const failedHosts = failed.map((hostId) => ({ hostId, problem: cause }));
  return hostsOf(leftFleet(before, [{ step, outcome, failedHosts }])).map(
    ({ name, groupId, antivirus }) =>
      `${name}${groupId === '-1' ? '' : ` in ${groupId}`}${antivirus?.installed === true ? ' protected' : ''}`,
  );
}

const move = moveStep('s1', [1, 2], 10);
const unchanged = ['H1', 'H2'];

describe('the fleet as a run left it', () => {
  it.each(['done', 'already'] as const)('has the whole of a step that is %s', (outcome) => {
    expect(left(move, outcome)).toEqual(['H1 in 10', 'H2 in 10']);
    expect(left(renameStep('s1', { id: 1 }, 'X'), outcome)).toEqual(['X', 'H2']);
    expect(left(deleteStep('s1', [1]), outcome)).toEqual(['H2']);
  });
  it.each(['failed', 'unknown'] as const)(
    'has the other hosts of a batch that is %s for some, and nothing if none is named',
    (outcome) => {
      expect(left(move, outcome, ['1'])).toEqual(['H1', 'H2 in 10']);
      expect(left(move, outcome)).toEqual(unchanged);
    },
  );
  it.each(['skipped', 'not-started'] as const)('has nothing of a step that is %s', (outcome) => {
    expect(left(move, outcome, ['1'])).toEqual(unchanged);
  });
  it('has nothing of a rename that failed', () => {
    for (const step of [renameStep('s1', { id: 1 }, 'X'), temporaryRenameStep('s1', { id: 1 }, 'X')])
      expect(left(step, 'failed', ['2'])).toEqual(unchanged);
  });
  it('has no install, as that the service accepted it shows nothing of the host', () => {
    expect(left(antivirusStep('s1', [1]), 'done')).toEqual(unchanged);
  });
});
