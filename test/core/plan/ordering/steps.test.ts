import { describe, expect, it } from 'vitest';
import type { Desired } from '../../../../src/core/model/desired.ts';
import { nothingRecalled } from '../../../../src/core/model/install-request.ts';
import { actsOf } from '../../../../src/core/plan/ordering/planned-acts.ts';
import { firstHosts, selectSteps } from '../../../../src/core/plan/ordering/select-steps.ts';
import { stepHeights } from '../../../../src/core/plan/ordering/step-heights.ts';
import { hostStatesOf, touchedGroups } from '../../../../src/core/plan/ordering/touched-groups.ts';
import { unitsOf } from '../../../../src/core/plan/ordering/units.ts';
import { hostIdsOf, type Step } from '../../../../src/core/plan/types/step.ts';
import { type GivenEntry, givenDesired, noLimits } from '../../../given/desired.ts';
import { at, type GivenHost, givenFleet, hostId } from '../../../given/fleet.ts';
import { givenPlan } from '../../../given/plan.ts';
import {
  antivirusStep,
  deleteStep,
  moveStep,
  refreshStep,
  renameStep,
  temporaryRenameStep,
} from '../../../given/steps.ts';

/** Each step as `rename 1 A>B`, `move 1,2 Berlin` or `delete 1`, with its hazards or those of its hosts. */
function told(step: Step): string {
  const what = 'to' in step ? `${step.from}>${step.to}` : 'groupName' in step ? `${step.groupName}` : '';
  const hazards = [...step.hazards, ...('hosts' in step ? step.hosts.flatMap((host) => host.hazards) : [])];
  return [step.kind, hostIdsOf(step).join(','), what, ...hazards.map((each) => `(${each})`)]
    .filter((part) => part !== '')
    .join(' ');
}

const groups = { 9: 'berlin', 10: 'Berlin', 11: 'Berlin', 12: 'Aachen', 13: 'Berlin' };

function stepsOf(entries: readonly GivenEntry[], hosts: readonly GivenHost[], batchSize?: number) {
  const options = batchSize === undefined ? {} : { batchSize };
  return givenPlan({ entries, hosts, groups, options }).steps.map(told);
}

const named = (...ids: readonly number[]): readonly GivenHost[] => ids.map((id) => ({ id, name: `H${id}` }));

describe('the steps of a plan', () => {
  it.each<[what: string, entry: GivenEntry, host: GivenHost, step: string]>([
    ['a rename that can be undone', { id: 1, name: 'B' }, { id: 1, name: 'A' }, 'rename 1 A>B'],
    [
      'a rename without a name to go back to',
      { id: 1, name: 'B' },
      { id: 1, name: null },
      'rename 1 null>B (no-previous-name)',
    ],
    [
      'a rename in which only the case differs',
      { id: 1, name: 'A' },
      { id: 1, name: 'a' },
      'rename 1 a>A (case-only)',
    ],
    [
      'an install, which is final',
      { id: 1, antivirus: true },
      { id: 1, name: 'A', antivirus: 'missing' },
      'antivirus 1 (irreversible)',
    ],
    [
      'the deletion of a host that is offline, which is final',
      { id: 1, ensure: 'absent' },
      { id: 1, name: 'A', online: false },
      'delete 1 (irreversible)',
    ],
    [
      'the deletion of a host that is online',
      { id: 1, ensure: 'absent' },
      { id: 1, name: 'A', online: true },
      'delete 1 (irreversible) (online)',
    ],
    ['a move', { id: 1, group: { id: 12 } }, { id: 1, name: 'A', online: true }, 'move 1 Aachen'],
  ])('mark %s', (_, entry, host, step) => {
    expect(stepsOf([entry], [host])).toEqual([step]);
  });

  it('move hosts in the order of group names, then of group ids, then of their own ids', () => {
    const entries = [
      { id: 30, group: { id: 11 } },
      { id: 4, group: { id: 11 } },
      { id: 5, group: { id: 10 } },
      { id: 6, group: { id: 12 } },
      { id: 7, group: null },
      { id: 8, group: { id: 9 } },
      { id: 9, name: 'Other' },
      { id: 10, group: { id: 13 } },
    ];
    const hosts = [...named(30, 4, 5, 6, 8, 9, 10), { id: 7, name: 'H7', group: 12 }];
    expect(stepsOf(entries, hosts)).toEqual([
      'rename 9 H9>Other',
      'move 7 null',
      'move 6 Aachen',
      'move 8 berlin',
      'move 5 Berlin',
      'move 4,30 Berlin',
      'move 10 Berlin',
    ]);
  });

  it('say which key of the desired state requests them', () => {
    const entries: readonly GivenEntry[] = [
      { id: 1, ensure: 'absent' },
      { id: 2, name: 'H1' },
      { id: 3, antivirus: true },
      { id: 4, group: { id: 9 } },
      { id: 5, antivirus: true },
    ];
    const columns = ['name', 'ensure', 'group', 'antivirus'];
    const positionOf: Desired['positionOf'] = (index, key) => ({
      file: 'fleet.yaml',
      line: index + 1,
      col: columns.indexOf(key ?? ''),
    });
    const hosts = named(1, 2, 3, 4, 5).map((host) => ({ ...host, antivirus: 'missing' as const }));
    const request = { state: 'in-doubt', requestedAt: at } as const;
    const installs = { ...nothingRecalled, requests: new Map([[hostId(5), request]]) };
    const desired = { ...givenDesired(entries, noLimits), positionOf };
    const { steps } = givenPlan({ entries: [], hosts, groups, options: { desired, installs } });
    const reasons = steps.flatMap((step) =>
      'reason' in step ? [step.reason] : step.hosts.map(({ reason }) => reason),
    );
    expect(steps.map(({ kind }, at) => `${kind} for ${columns[reasons[at]?.col ?? -1]}`)).toEqual([
      'temporary-rename for ensure',
      'rename for name',
      'move for group',
      'refresh for antivirus',
      'antivirus for antivirus',
      'delete for ensure',
    ]);
  });
});

const plan = [
  temporaryRenameStep('s1', { id: 1 }, 'H2'),
  renameStep('s2', { id: 2 }, 'H1', { after: ['s1'] }),
  renameStep('s3', { id: 1 }, 'H2', { after: ['s2'] }),
  renameStep('s4', { id: 3, group: 10 }, 'X'),
  moveStep('s5', [{ id: 4, group: 12 }, 5], 11),
  refreshStep('s6', [8]),
  antivirusStep('s7', [5, 6]),
  deleteStep('s8', [{ id: 7, group: 9 }]),
];

describe('a part of the steps', () => {
  it.each<[keeps: readonly number[], ids: readonly string[]]>([
    [[], []],
    [[1], ['temporary-rename 1', 'rename 1']],
    [[2], ['rename 2']],
    [[5], ['move 5', 'antivirus 5']],
    [
      [4, 6, 7, 8],
      ['move 4', 'refresh 8', 'antivirus 6', 'delete 7'],
    ],
  ])('of the hosts %j has nothing of the others', (keeps, ids) => {
    const chosen = selectSteps(plan, (host) => keeps.includes(Number(host)));
    expect(chosen.map((step) => `${step.kind} ${hostIdsOf(step).join(',')}`)).toEqual(ids);
  });

  it.each<[count: number, hosts: readonly number[]]>([
    [0, []],
    [1, [1, 2]],
    [2, [1, 2]],
    [3, [1, 2, 3]],
    [5, [1, 2, 3, 4, 5]],
    [99, [1, 2, 3, 4, 5, 8, 6, 7]],
  ])('with at least %i hosts keeps each unit whole', (count, hosts) => {
    expect([...firstHosts(plan, count, unitsOf(plan))].map(Number)).toEqual(hosts);
  });
});

describe('the height of a step', () => {
  it('is the length of the longest chain that begins with it', () => {
    const steps = [
      renameStep('a', { id: 1 }, 'A'),
      renameStep('d', { id: 4 }, 'D', { after: ['a'] }),
      renameStep('b', { id: 2 }, 'B', { after: ['a', 'elsewhere'] }),
      renameStep('c', { id: 3 }, 'C', { after: ['b'] }),
      renameStep('e', { id: 5 }, 'E'),
    ];
    expect(Object.fromEntries(stepHeights(steps))).toEqual({ a: 3, b: 2, c: 1, d: 1, e: 1 });
  });
});

describe('what the list showed', () => {
  const fleet = givenFleet(
    [
      { id: 1, name: 'H1' },
      { id: 3, name: 'H3', group: 10 },
      { id: 4, name: 'H4', group: 12, online: false },
      { id: 5, name: 'H5', online: false, stateChangedAt: '2026-11-20T08:00:00Z' },
      { id: 7, name: 'H7', group: 9 },
      { id: 9, name: 'H9', group: 12 },
    ],
    { 9: 'berlin', 10: 'Berlin', 12: 'Aachen' },
  );

  it('of the groups that hosts leave and reach: their names and sizes, in the order of their ids', () => {
    expect(
      touchedGroups(actsOf(plan), [], fleet).map(({ id, name, hosts }) => [Number(id), name, hosts]),
    ).toEqual([
      [-1, null, 2],
      [9, 'berlin', 1],
      [10, 'Berlin', 1],
      [11, null, 0],
      [12, 'Aachen', 2],
    ]);
    expect(touchedGroups([], [], fleet)).toEqual([]);
  });

  it('of the hosts that are deleted or get the anti-virus, if it had them', () => {
    expect(hostStatesOf(actsOf(plan), fleet)).toEqual([
      { hostId: hostId(5), online: false, stateChangedAt: '2026-11-20T08:00:00Z' },
      { hostId: hostId(7), online: true },
    ]);
  });
});
