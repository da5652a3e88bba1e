import { describe, expect, it } from 'vitest';
import { type CheckedState, decideCheck } from '../../../../src/server/plans/decisions/decide-check.ts';

const state: CheckedState = {
  mode: 'correct',
  found: { isEmpty: false, changes: 3, exceeds: false },
  open: undefined,
  held: undefined,
  wasConverged: false,
};
const empty = { isEmpty: true, changes: 0, exceeds: false };
const above = { ...state.found, exceeds: true };
const refresh = { ...state.found, changes: 0 };
const person = { until: 'person', reason: 'someone undid a run' } as const;
const later = { until: 'later', reason: '1 run failed' } as const;
const kept = { leftOut: [], hasMore: true };
const open = { isUndo: false, kept: undefined };
const proposes = (of: 'waiting' | 'approved', isHeld = false) => ({ kind: 'propose', state: of, isHeld });

describe('what the server does after a check', () => {
  it.each<readonly [string, Partial<CheckedState>, object]>([
    ['approves a plan within the limits in mode correct', {}, proposes('approved')],
    ['lets a plan above the limits wait', { found: above }, proposes('waiting')],
    ['lets every plan wait in mode propose', { mode: 'propose' }, proposes('waiting')],
    ['lets no plan without changes wait', { mode: 'propose', found: refresh }, proposes('approved')],
    [
      'lets no plan without changes wait, even after an undo',
      { found: refresh, held: person },
      proposes('approved'),
    ],
    [
      'lets a plan wait for a person after an undo, and says why',
      { held: person },
      { ...proposes('waiting', true), reason: 'someone undid a run' },
    ],
    ['delays the run after a failed one', { held: later }, proposes('approved', true)],
    ['keeps what people approved', { open: { ...open, kept } }, { kind: 'keep', kept }],
    [
      'keeps what people approved, even above the limits',
      { found: above, open: { ...open, kept } },
      { kind: 'keep', kept },
    ],
    ['replaces a plan whose approvals are void', { open }, proposes('approved')],
    [
      'leaves the reversal of a run alone',
      { found: empty, open: { ...open, isUndo: true } },
      { kind: 'stay' },
    ],
    [
      'closes the plan in mode observe, whoever approved it',
      { mode: 'observe', open: { ...open, kept } },
      { kind: 'close', why: 'the account is in mode observe', endsRejections: false },
    ],
    [
      'closes the plan once nothing differs, and keeps rejections in mode correct',
      { found: empty, open },
      { kind: 'close', why: 'the fleet no longer differs from the desired state', endsRejections: false },
    ],
    [
      'ends rejections once nothing differs in another mode',
      { mode: 'propose', found: empty },
      { kind: 'close', why: 'the fleet no longer differs from the desired state', endsRejections: true },
    ],
    [
      'ends no rejections at each later check without differences',
      { mode: 'observe', found: empty, wasConverged: true },
      { kind: 'close', why: 'the fleet no longer differs from the desired state', endsRejections: false },
    ],
  ])('%s', (_, part, command) => {
    expect(decideCheck({ ...state, ...part })).toEqual(command);
  });
});
