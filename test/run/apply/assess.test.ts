import { describe, expect, it } from 'vitest';
import {
  type InstallRecall,
  type InstallRequest,
  nothingRecalled,
} from '../../../src/core/model/install-request.ts';
import type { Observed } from '../../../src/core/model/observed.ts';
import type { Step } from '../../../src/core/plan/types/step.ts';
import { assess } from '../../../src/run/apply/assess.ts';
import { type GivenHost, givenFleet, hostId } from '../../given/fleet.ts';
import { givenPlan } from '../../given/plan.ts';
import {
  antivirusStep,
  deleteStep,
  moveStep,
  refreshStep,
  renameStep,
  temporaryRenameStep,
} from '../../given/steps.ts';

const plan = givenPlan({ entries: [], hosts: [] });
const groups = { 10: 'Berlin', 11: 'Hamburg' };
const fleet = (hosts: readonly GivenHost[], parts: Partial<Observed> = {}): Observed => ({
  ...givenFleet(hosts, groups),
  ...parts,
});
const recalling = (requests: Readonly<Record<number, InstallRequest>>): InstallRecall => ({
  ...nothingRecalled,
  requests: new Map(Object.entries(requests).map(([id, each]) => [hostId(id), each])),
});

function assessed(steps: readonly Step[], observed: Observed, recall?: InstallRecall) {
  const { done, stale } = assess({ ...plan, steps }, observed, recall);
  return {
    done: Object.fromEntries(steps.map(({ id }) => [id, [...(done.get(id) ?? [])].join('+')])),
    stale: stale.map(({ message }) => message),
    problems: stale,
  };
}

describe('the work that is already done', () => {
  it('includes installs that a read shows, and installs that an earlier run requested', () => {
    const steps = [antivirusStep('s1', [1, 2, 3, 4]), moveStep('s2', [5], 10)];
    const observed = fleet([
      { id: 1, name: 'H1', antivirus: 'installed' },
      { id: 2, name: 'H2', antivirus: 'missing' },
      { id: 3, name: 'H3', antivirus: 'missing' },
      { id: 4, name: 'H4' },
      { id: 5, name: 'H5', antivirus: 'installed' },
    ]);
    const recall = recalling({ 2: { state: 'accepted', requestedAt: '2026-11-21T08:00:00Z' } });
    expect(assessed(steps, observed, recall).done).toEqual({ s1: '1+2', s2: '' });
  });
  it('includes refreshes that were delivered, and refreshes of hosts whose install a read shows', () => {
    const request = { state: 'in-doubt', requestedAt: '2026-11-21T08:00:00Z' } as const;
    const steps = [refreshStep('s1', [1, 2, 3])];
    const observed = fleet([
      { id: 1, name: 'H1', antivirus: 'missing' },
      { id: 2, name: 'H2', antivirus: 'missing' },
      { id: 3, name: 'H3', antivirus: 'installed' },
    ]);
    const recall = recalling({ 1: request, 2: { ...request, refreshedAt: '2026-11-21T08:30:00Z' } });
    expect(assessed(steps, observed, recall).done).toEqual({ s1: '2+3' });
  });
  it('includes moves, renames and deletions that a read shows', () => {
    const steps = [moveStep('s1', [1, 2], 10), renameStep('s2', { id: 3 }, 'X'), deleteStep('s3', [4])];
    const observed = fleet([
      { id: 1, name: 'H1', group: 10 },
      { id: 2, name: 'H2' },
      { id: 3, name: 'X' },
    ]);
    expect(assessed(steps, observed)).toMatchObject({ done: { s1: '1', s2: '3', s3: '4' }, stale: [] });
  });
});

describe('the list of stale hosts and names', () => {
  it('includes a host that is missing', () => {
    expect(assessed([moveStep('s1', [1], 10)], fleet([])).stale).toEqual([
      '"H1" (1) is no longer in the list',
    ]);
    const unreadable = [{ position: 0, why: 'given' }];
    for (const step of [moveStep('s1', [1], 10), deleteStep('s1', [1])])
      expect(assessed([step], fleet([], { unreadable }))).toMatchObject({
        stale: ['"H1" (1) is not in the list, which has hosts that can\'t be read'],
        done: { s1: '' },
      });
  });
  it.each([
    [-1, 'no group'],
    [11, 'the group "Hamburg"'],
    [12, 'group 12'],
    [99, 'group 99'],
  ])('includes a host that was moved to %i', (group, words) => {
    const base = fleet([{ id: 1, name: 'H1', group }]);
    const observed = {
      ...base,
      groupById: (id: Parameters<Observed['groupById']>[0]) =>
        id === '12' ? { id, name: null } : base.groupById(id),
    };
    const [message] = assessed([deleteStep('s1', [{ id: 1, group: 10 }])], observed).stale;
    expect(message).toBe(`"H1" (1) is now in ${words}`);
  });
  it('includes a planned name that an unmanaged host has taken, even a temporary name', () => {
    const temporary = temporaryRenameStep('s1', { id: 1 }, 'X');
    for (const step of [renameStep('s1', { id: 1 }, 'X'), temporary]) {
      const taken = fleet([
        { id: 1, name: 'H1' },
        { id: 9, name: step.to.toLowerCase() },
      ]);
      expect(assessed([step], taken).problems).toMatchObject([{ code: 'stale-plan', hostIds: ['1', '9'] }]);
    }
  });
  it('does not include a name that its host already has', () => {
    const taken = fleet([
      { id: 1, name: 'X' },
      { id: 9, name: 'x' },
    ]);
    expect(assessed([renameStep('s1', { id: 1 }, 'X')], taken).stale).toEqual([]);
  });
});
