import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../../src/core/plan/types/plan.ts';
import { hostIdsOf, type Step, type StepId } from '../../../../src/core/plan/types/step.ts';
import { keptUnits, termsOf } from '../../../../src/server/plans/decisions/kept-units.ts';
import { givenGroups, reorganizations } from '../../../given/arbitrary-fleet.ts';
import type { GivenEntry } from '../../../given/desired.ts';
import type { GivenHost } from '../../../given/fleet.ts';
import { givenPlan } from '../../../given/plan.ts';

type Required = Parameters<typeof keptUnits>[0]['required'];

const easy: Required = { approvals: 1, notAuthor: false, numbers: [] };
const hosts = [1, 2, 3, 4].map((id) => ({ id, name: `OLD-${id}` }));
const entries = [1, 2, 3].map((id) => ({ id, name: `NEW-${id}` }));

function planned(
  of: readonly GivenEntry[] = entries,
  fleet: readonly GivenHost[] = hosts,
  options = {},
): Plan {
  return givenPlan({ entries: of, hosts: fleet, groups: givenGroups, options });
}

const kept = (plan: Plan, later: Plan, required: Required = easy, now: Required = easy) =>
  keptUnits({ terms: termsOf(plan), required }, { terms: termsOf(later), required: now });

describe('the part of an approval that later checks keep', () => {
  it('is everything if other hosts enroll or change', () => {
    const more = [...hosts, { id: 9, name: 'ENROLLED' }];
    const later = planned([...entries, { id: 4, name: 'NEW-4' }, { id: 9, name: 'NEW-9' }], more);
    expect(kept(planned(), later)).toEqual({ leftOut: [], hasMore: true });
    expect(kept(planned(), planned(entries, more))).toEqual({ leftOut: [], hasMore: false });
  });

  it.each([
    ['has another name', entries, hosts.map((host) => (host.id === 2 ? { id: 2, name: 'BY-HAND' } : host))],
    ['is in another group', entries, hosts.map((host) => (host.id === 2 ? { ...host, group: 10 } : host))],
    ['should get another name', entries.map((each) => (each.id === 2 ? { id: 2, name: 'X' } : each)), hosts],
    ['should stay as it is', entries.filter(({ id }) => id !== 2), hosts],
    ['is no longer there', entries.filter(({ id }) => id !== 2), hosts.filter(({ id }) => id !== 2)],
  ])('is everything except the unit of a host that %s', (_, now, fleet) => {
    expect(kept(planned(), planned(now, fleet))).toMatchObject({ leftOut: ['2'] });
  });

  it('excludes a whole ring if one of its hosts changes, and a rename whose deletion is no longer needed', () => {
    const ring = [
      { id: 1, name: 'OLD-2' },
      { id: 2, name: 'OLD-1' },
      { id: 3, name: 'NEW-3' },
    ];
    const later = planned([...ring.slice(1), { id: 1, name: 'X' }]);
    expect(kept(planned(ring), later)?.leftOut.toSorted()).toEqual(['1', '2']);
    const takes = [{ id: 1, ensure: 'absent' as const }, { id: 2, name: 'OLD-1' }, ...ring.slice(2)];
    const without = planned([{ id: 1, name: 'X' }, ...takes.slice(1)]);
    expect(kept(planned(takes), without)?.leftOut.toSorted()).toEqual(['1', '2']);
  });

  it('is nothing if no unit is the same, or the account belongs to another tenant', () => {
    expect(kept(planned(), planned([{ id: 4, name: 'X' }]))).toBeUndefined();
    const account = { companyId: '7', service: 'https://remote.example.com' };
    expect(kept(planned(), planned(entries, hosts, { account }))).toBeUndefined();
  });

  it('is nothing if only a status refresh is left, which needs no approval', () => {
    const refreshing = (plan: Plan): Plan => {
      const [first] = planned([{ id: 4, ensure: 'absent' }]).steps;
      if (first?.kind !== 'delete') throw new Error('no deletion');
      return { ...plan, steps: [...plan.steps, { ...first, id: 'refresh' as StepId, kind: 'refresh' }] };
    };
    const before = refreshing(planned());
    expect(kept(before, refreshing(planned([])))).toBeUndefined();
    expect(kept(refreshing(planned([])), before)).toBeUndefined();
    expect(kept(before, planned())).toEqual({ leftOut: [], hasMore: false });
    expect(kept(planned(), before)).toEqual({ leftOut: [], hasMore: false });
  });

  it.each([
    ['more people', { ...easy, approvals: 2 }],
    ['someone other than the author', { ...easy, notAuthor: true }],
    ['a number for a limit that is now stricter', { ...easy, numbers: [{ limit: 'rename', allowed: 2 }] }],
  ])('is nothing if the same changes now require %s', (_, now) => {
    expect(kept(planned(), planned(), easy, now)).toBeUndefined();
    expect(kept(planned(), planned(), now, now)).toEqual({ leftOut: [], hasMore: false });
  });

  it('is everything if only the new changes exceed a limit', () => {
    const now = { ...easy, numbers: [{ limit: 'rename', allowed: 3 }] };
    expect(kept(planned(), planned([...entries, { id: 4, name: 'NEW-4' }]), easy, now)).toMatchObject({
      leftOut: [],
    });
  });

  it('is nothing if a window or a freeze that concerns its changes is new', () => {
    const place = { file: 'fleet.yaml', line: 1, col: 1, text: '', width: 1 };
    const later = planned();
    const window = { name: 'nights', only: ['Mon-Sun 20:00-06:00 UTC'], place };
    const during = (kinds: readonly ('rename' | 'delete')[]) => ({
      ...later,
      constraints: { windows: [{ ...window, kinds }], freezes: [] },
    });
    expect(kept(planned(), during(['rename']))).toBeUndefined();
    expect(kept(planned(), during(['delete', 'rename']))).toBeUndefined();
    expect(kept(planned(), during(['delete']))).toBeDefined();
    expect(kept(during(['rename']), during(['rename']))).toBeDefined();
    const frozen = { ...later, constraints: { windows: [], freezes: [{ name: 'year end', place }] } };
    expect(kept(planned(), frozen)).toBeUndefined();
    expect(kept(frozen, frozen)).toBeDefined();
  });

  it('never includes a change that is missing from one of the two plans, or a part of a unit', () => {
    const churn = fc.array(fc.constantFrom('none', 'none', 'edit', 'drop', 'by hand', 'moved', 'deleted'), {
      minLength: 14,
      maxLength: 14,
    });
    fc.assert(
      fc.property(reorganizations, churn, fc.boolean(), (before, what, deleteFirst) => {
        const plan = planned(before.entries, before.hosts, { deleteFirst });
        const nowHosts = before.hosts.flatMap((host, at): readonly GivenHost[] => {
          if (what[at] === 'deleted') return [];
          if (what[at] === 'by hand') return [{ ...host, name: `by-hand-${at}` }];
          return [what[at] === 'moved' ? { ...host, group: 11 } : host];
        });
        const nowEntries = before.entries.flatMap((entry, at): readonly GivenEntry[] => {
          if (what[at] === 'drop' || what[at] === 'deleted') return [];
          return [what[at] === 'edit' ? { ...entry, ensure: 'present', name: `edited-${at}` } : entry];
        });
        const later = planned(
          [...nowEntries, { id: 999, name: 'new-999' }],
          [...nowHosts, { id: 999, name: 'enrolled' }],
          { deleteFirst },
        );
        const found = kept(plan, later);
        const left = new Set<string>(found?.leftOut);
        const runs = found === undefined ? [] : plan.steps.flatMap(hostIdsOf).filter((id) => !left.has(id));
        for (const id of runs) expect(changesOf(plan.steps, id)).toEqual(changesOf(later.steps, id));
        const owners = new Map(plan.steps.map((step) => [step.id, hostIdsOf(step)]));
        for (const step of plan.steps) {
          if (step.kind !== 'rename' || !runs.includes(step.hostId)) continue;
          for (const first of step.after) {
            const those = owners.get(first) ?? [];
            if (those.length === 1) expect(runs).toContain(those[0]);
          }
        }
        if (what.every((each) => each === 'none') && plan.steps.length > 0)
          expect(found).toEqual({ leftOut: [], hasMore: true });
      }),
      { numRuns: 300 },
    );
  });
});

/** The final state of one host, and the plan's expectation of it. */
function changesOf(steps: readonly Step[], id: string): readonly unknown[] {
  return steps
    .flatMap((step): readonly unknown[] => {
      if (step.kind === 'temporary-rename') return [];
      if (step.kind === 'rename') return step.hostId === id ? [['name', step.to, step.expects]] : [];
      const member = step.hosts.find(({ hostId }) => hostId === id);
      if (member === undefined) return [];
      return [[step.kind, step.kind === 'move' ? step.groupId : null, member.expects]];
    })
    .toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
}
