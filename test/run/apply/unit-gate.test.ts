import { describe, expect, it } from 'vitest';
import { problem } from '../../../src/core/problem/problem.ts';
import { stepFailed } from '../../../src/run/apply/step-result.ts';
import { createUnitGate } from '../../../src/run/apply/unit-gate.ts';
import { renameStep } from '../../given/steps.ts';

describe('a unit whose first rename fails', () => {
  const step = renameStep('s1', { id: 1 }, 'X');
  const outcomeFor = async (code: 'stale-plan' | 'name-conflict' | 'step-failed') =>
    createUnitGate([step]).pass(step, async () => stepFailed(problem(code, 'why')));

  it.each(['stale-plan', 'name-conflict'] as const)('with %s drops out of the run', async (code) => {
    expect(await outcomeFor(code)).toMatchObject({ outcome: 'skipped', problem: { code: 'stale-plan' } });
  });

  it('for another reason has failed', async () => {
    expect(await outcomeFor('step-failed')).toMatchObject({ outcome: 'failed' });
  });
});
