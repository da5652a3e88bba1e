import { describe, expect, it } from 'vitest';
import type { AccountHold } from '../../../../src/server/accounts/decisions/account-state.ts';
import { heldPlan, holdAfter, holdWords } from '../../../../src/server/accounts/decisions/hold.ts';

const at = '2026-11-23T08:00:00.000Z';
const end = {
  run: { id: 'r' },
  hasBegun: true,
  hasChanged: true,
  reason: 'the service lies',
  at,
} as const;
const failedRuns = (runs: number, commit = 'c1'): AccountHold => ({
  kind: 'failed-runs',
  run: 'q',
  at,
  commit,
  runs,
  isInDoubt: false,
  reason: 'x',
});
const undone: AccountHold = { ...failedRuns(0), kind: 'undo', reason: '' };
const minute = 60_000;

describe('what keeps mode correct from applying plans after a run', () => {
  it('is nothing after a run that succeeded', () => {
    expect(holdAfter({ hold: failedRuns(4), commit: 'c1' }, { ...end, state: 'done' }, false)).toBeNull();
  });

  it.each(['failed', 'in_doubt'] as const)('counts consecutive runs of one commit that ended %s', (state) => {
    const after = (hold: AccountHold | null) => holdAfter({ hold, commit: 'c1' }, { ...end, state }, false);
    const isInDoubt = state === 'in_doubt';
    expect(after(null)).toMatchObject({ kind: 'failed-runs', run: 'r', runs: 1, commit: 'c1', isInDoubt });
    expect(after(failedRuns(2))).toMatchObject({ runs: 3, reason: 'the service lies' });
    expect(after(failedRuns(2, 'c0'))).toMatchObject({ runs: 1 });
  });

  it('is unchanged after a run that was refused before its first step', () => {
    const refused = { ...end, state: 'failed', hasBegun: false } as const;
    const hold = failedRuns(2);
    expect(holdAfter({ hold, commit: 'c1' }, refused, false)).toBe(hold);
    expect(holdAfter({ hold: null, commit: 'c1' }, refused, false)).toBeNull();
  });

  it('is what a person stopped, whatever held it before', () => {
    const stopped = { ...end, state: 'stopped' } as const;
    const byPerson = { kind: 'stopped', run: 'r', runs: 0, isInDoubt: false, reason: '' };
    for (const hold of [null, failedRuns(3), undone])
      expect(holdAfter({ hold, commit: 'c1' }, stopped, false)).toMatchObject(byPerson);
  });

  it('stays what a person did, though a later run fails', () => {
    expect(holdAfter({ hold: undone, commit: 'c1' }, { ...end, state: 'failed' }, false)).toBe(undone);
  });

  it('ends with a run that found everything done', () => {
    expect(
      holdAfter({ hold: undone, commit: 'c1' }, { ...end, state: 'done', hasBegun: false }, false),
    ).toBeNull();
  });

  it('is an undo only if it changed something', () => {
    const undo = { ...end, state: 'failed' } as const;
    expect(holdAfter({ hold: null, commit: 'c1' }, undo, true)).toMatchObject({ kind: 'undo' });
    expect(holdAfter({ hold: null, commit: 'c1' }, { ...undo, hasChanged: false }, true)).toBeNull();
  });

  it('delays each run more than the last, and after five runs waits for a person', () => {
    const waits = [1, 2, 3, 4].map((runs) => {
      const now = Date.parse(at);
      const held = heldPlan('berlin', failedRuns(runs), now);
      expect(held).toMatchObject({ until: 'later', failure: { code: 'not-converging' } });
      const retryAt = Date.parse(held?.failure?.retryAt ?? '');
      expect(heldPlan('berlin', failedRuns(runs), retryAt)).toBeUndefined();
      expect(heldPlan('berlin', failedRuns(runs), retryAt - 1)).toBeDefined();
      return retryAt - now;
    });
    for (const [index, ms] of waits.entries()) {
      expect(ms).toBeGreaterThanOrEqual(0.8 * minute * 2 ** index);
      expect(ms).toBeLessThanOrEqual(minute * 2 ** index);
    }
    const person = heldPlan('berlin', failedRuns(5), Number.MAX_SAFE_INTEGER);
    expect(person).toMatchObject({ until: 'person', failure: { code: 'not-converging' } });
  });

  it('reports how many runs failed, and why', () => {
    expect(holdWords(failedRuns(1))).toBe('1 run did not reach the planned state: x');
    expect(holdWords(failedRuns(3))).toBe('3 runs in a row did not reach the planned state: x');
  });

  it('makes plans wait for a person after an undo, and reports no failure', () => {
    expect(heldPlan('berlin', undone, 0)).toEqual({
      until: 'person',
      reason: 'someone undid a run, so the server does not repeat its changes automatically',
    });
    expect(heldPlan('berlin', null, 0)).toBeUndefined();
  });
});
