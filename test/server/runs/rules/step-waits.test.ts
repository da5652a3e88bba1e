import { describe, expect, it } from 'vitest';
import type { StepId } from '../../../../src/core/plan/types/step.ts';
import { createStepWaits, type StepWait } from '../../../../src/server/runs/rules/step-waits.ts';
import type { PaceState } from '../../../../src/service/client/pacer.ts';
import { deleteStep, moveStep, renameStep, temporaryRenameStep } from '../../../given/steps.ts';

const after = <Given extends object>(step: Given, ...ids: readonly string[]) => ({
  ...step,
  after: ids as readonly StepId[],
});
const unpaced = () => undefined;
const words = (waits: readonly StepWait[]) =>
  waits.map(({ title, for: reason, why, steps }) => `${steps} ${why}: ${title} waits for ${reason}`);

describe('the reasons why the steps of a run wait', () => {
  it('name the step that frees a name, and leave out what has begun', () => {
    const waits = createStepWaits(
      [renameStep('s1', { id: 1, name: 'B' }, 'C'), after(renameStep('s2', { id: 2, name: 'A' }, 'B'), 's1')],
      false,
    );
    expect(waits.list(unpaced)).toEqual([
      { step: '', title: '1 rename', for: 'their turn', why: 'pace', steps: 1 },
      {
        step: 's2',
        title: 'rename A → B (host 2)',
        for: 'the name B, which step s1 frees',
        why: 'step',
        on: 's1',
        steps: 1,
      },
    ]);
    waits.started('s1');
    expect(words(waits.list(unpaced))).toEqual([
      '1 step: rename A → B (host 2) waits for the name B, which step s1 frees',
    ]);
    waits.ended('s1');
    waits.ended('s1');
    expect(words(waits.list(unpaced))).toEqual(['1 pace: 1 rename waits for their turn']);
    waits.started('s2');
    waits.ended('s2');
    waits.ended('s2-rest');
    expect(waits.list(unpaced)).toEqual([]);
  });

  it('show that a host waits for its own temporary name, or for a deletion', () => {
    const own = [
      temporaryRenameStep('s1', { id: 1, name: 'A' }, 'A~1'),
      after(renameStep('s2', { id: 1, name: 'A~1' }, 'B'), 's1'),
    ];
    expect(createStepWaits(own, false).list(unpaced).at(-1)?.for).toBe(
      'its temporary name, which step s1 gives it',
    );
    const deleted = [deleteStep('s1', [9]), after(renameStep('s2', { id: 1, name: 'A' }, 'B'), 's1')];
    const waits = createStepWaits(deleted, true);
    expect(words(waits.list(unpaced))).toEqual([
      '1 pace: 1 deletion waits for their turn',
      '1 phase: 1 rename waits for the 1 step before it',
    ]);
  });

  it('list the phases in their order, and limit a long list', () => {
    const chain = Array.from({ length: 50 }, (_, at) => {
      const step = renameStep(`s${at + 1}`, { id: at + 1, name: `N${at}` }, `N${at + 1}`);
      return at === 0 ? step : after(step, `s${at}`);
    });
    const steps = [...chain, moveStep('s51', [1, 2], 7), deleteStep('s52', [80]), deleteStep('s53', [81])];
    const listed = createStepWaits(steps, false).list(unpaced);
    expect(words(listed).slice(0, 2)).toEqual([
      '1 pace: 1 rename waits for their turn',
      '1 pace: 1 move waits for their turn',
    ]);
    expect(listed.filter(({ step }) => step !== '')).toHaveLength(20);
    expect(words(listed).slice(-2)).toEqual([
      '29 step: 29 more steps waits for other steps',
      '2 phase: 2 deletions waits for the 51 steps before them',
    ]);
    expect(listed.reduce((sum, wait) => sum + (wait.steps ?? 1), 0)).toBe(steps.length);
  });

  it.each([
    [
      { kind: 'pace' },
      null,
      'their turn: 14.3 calls/s now, and more while the service refuses none',
      undefined,
    ],
    [{ kind: 'pace' }, 4.987, 'their turn: the service allows about 4.99 calls/s', undefined],
    [{ kind: 'answers' }, 5, 'answers of the service to the calls in flight', undefined],
    [
      { kind: 'refusal', until: Date.UTC(2026, 10, 23, 8) },
      5,
      'the service, which would refuse a call before then',
      '2026-11-23T08:00:00.000Z',
    ],
  ] as const)('show that %j delays the calls, with the limit %s', (bound, limit, reason, until) => {
    const pace: PaceState = { waiting: 3, allowed: 14.26, limit, bound };
    const [wait] = createStepWaits([renameStep('s1', { id: 1 }, 'B')], false).list((action) =>
      action === 'rename' ? pace : undefined,
    );
    expect(wait).toMatchObject({ title: '4 renames', for: reason, steps: 4 });
    expect(wait?.until).toBe(until);
  });

  it('show hostile names as printable text', () => {
    const steps = [
      renameStep('s1', { id: 1, name: 'x' }, 'C'),
      after(renameStep('s2', { id: 2, name: 'A' }, 'a\u202e\u0007b'), 's1'),
    ];
    const [, wait] = createStepWaits(steps, false).list(unpaced);
    expect(wait?.for).not.toContain('\u202e');
    expect(wait?.for).not.toContain('\u0007');
  });
});
