import { describe, expect, it } from 'vitest';
import type { StepOutcome } from '../../../../src/core/model/run-event.ts';
import { hostHistories } from '../../../../src/run/state/journal/host-histories.ts';
import type { BeginRecord, JournaledChange } from '../../../../src/run/state/journal/record.ts';
import type { Replay } from '../../../../src/run/state/journal/replay.ts';

type GivenStep = readonly [BeginRecord['kind'], readonly JournaledChange[], StepOutcome?];

function histories(...steps: readonly GivenStep[]) {
  const at = '2026-11-21T09:00:00Z';
  const replayed: Replay = {
    runId: 'r',
    startedAt: at,
    state: 'completed',
    exitCode: 0,
    planned: steps.length,
    steps: steps.map(([kind, changes, outcome = 'done'], index) => ({
      begin: { type: 'begin', at, step: `s${index}`, kind, changes: [...changes] },
      outcome,
      failedHostIds: new Set(),
      isInDoubt: () => false,
    })),
  };
  return hostHistories(replayed);
}

const nothing = { names: [], groups: [], irreversible: [] };

describe('the history of a host in a run', () => {
  it('has the name before the first rename, and every name after', () => {
    const found = histories(
      ['temporary-rename', [{ host_id: '1', name: { before: 'A', after: 'T' } }]],
      ['rename', [{ host_id: '1', name: { before: 'T', after: 'B' } }]],
    );
    expect(found).toEqual([{ hostId: '1', ...nothing, names: ['A', 'T', 'B'] }]);
  });

  it('has the group before the first move, and every group after', () => {
    const found = histories(
      ['move', [{ host_id: '1', group: { before: '-1', after: '10' } }]],
      ['move', [{ host_id: '1', group: { before: '10', after: '11' } }]],
    );
    expect(found).toEqual([{ hostId: '1', ...nothing, groups: ['-1', '10', '11'] }]);
  });

  it("has what can't be undone, in the order of the journal", () => {
    const found = histories(
      ['antivirus', [{ host_id: '1' }, { host_id: '2' }]],
      ['delete', [{ host_id: '1', was_in: '10' }]],
    );
    expect(found).toEqual([
      { hostId: '1', ...nothing, irreversible: ['antivirus', 'delete'] },
      { hostId: '2', ...nothing, irreversible: ['antivirus'] },
    ]);
  });

  it('leaves out refreshes, which change nothing, and steps that were not done', () => {
    const found = histories(
      ['refresh', [{ host_id: '1' }]],
      ['rename', [{ host_id: '2', name: { before: 'A', after: 'B' } }], 'skipped'],
    );
    expect(found).toEqual([]);
  });
});
