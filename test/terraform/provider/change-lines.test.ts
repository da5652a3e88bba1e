import { expect, test } from 'vitest';
import type { FleetChange } from '../../../src/terraform/fleet/fleet-changes.ts';
import type { FleetPlan } from '../../../src/terraform/fleet/plan-fleet.ts';
import { changeLines, changeSummary } from '../../../src/terraform/provider/fleet/change-lines.ts';
import { hostId } from '../../given/fleet.ts';

const change = (parts: Partial<FleetChange>): FleetChange => ({
  hostId: hostId(7),
  name: 'A',
  kind: 'rename',
  from: null,
  to: null,
  reason: 'fleet.yaml:3',
  ...parts,
});

test.each<readonly [string, readonly Partial<FleetChange>[], string]>([
  ['a rename', [{ to: 'B' }], "'A': rename to 'B' (fleet.yaml:3)"],
  [
    'a move',
    [{ kind: 'move', from: 'Kiosks', to: 'Servers' }],
    "'A': move from 'Kiosks' to 'Servers' (fleet.yaml:3)",
  ],
  ['a move out of a group', [{ kind: 'move', from: 'K' }], "'A': move from 'K' to no group (fleet.yaml:3)"],
  ['a move into a group', [{ kind: 'move', to: 'K' }], "'A': move from no group to 'K' (fleet.yaml:3)"],
  ['an install', [{ kind: 'antivirus' }], "'A': install the anti-virus (fleet.yaml:3)"],
  ['a status request', [{ kind: 'refresh' }], "'A': ask for the anti-virus status (fleet.yaml:3)"],
  ['a deletion', [{ kind: 'delete' }], "'A': delete (fleet.yaml:3)"],
  ['a host without a name', [{ name: null, to: 'B' }], "a host without a name: rename to 'B' (fleet.yaml:3)"],
  [
    'two changes for two reasons',
    [{ to: 'B' }, { kind: 'delete', reason: 'fleet.yaml:9 (rule old)' }],
    "'A': rename to 'B'; delete (fleet.yaml:3, fleet.yaml:9 (rule old))",
  ],
  [
    'a name that imitates a line or an escape sequence',
    [{ name: "A': delete\u001b[2J", to: 'B' }],
    "'A\\': delete␛[2J': rename to 'B' (fleet.yaml:3)",
  ],
])('the line of a host shows %s', (_what, changes, line) => {
  expect(changeLines(changes.map(change))).toEqual({ 7: line });
});

const summary = (counts: Partial<FleetPlan['counts']>, calls: number, changes: readonly FleetChange[] = []) =>
  changeSummary({
    counts: { rename: 0, move: 0, antivirus: 0, delete: 0, ...counts },
    calls,
    changes,
  } as unknown as FleetPlan);

test('a summary counts changes and calls', () => {
  expect(summary({}, 0)).toBe('no changes');
  expect(summary({ rename: 2, delete: 1 }, 3)).toBe('2 renames, 1 deletion (3 calls)');
  expect(summary({ move: 1, antivirus: 2 }, 1, [change({ kind: 'refresh' })])).toBe(
    '1 move, 2 anti-virus installs, 1 status request (1 call)',
  );
});
