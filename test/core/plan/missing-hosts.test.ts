import { describe, expect, it } from 'vitest';
import type { Limits } from '../../../src/core/model/policy.ts';
import { type MissingHostsInputs, missingHosts } from '../../../src/core/plan/guards/missing-hosts.ts';
import { makePlan } from '../../../src/core/plan/make-plan.ts';
import type { Plan } from '../../../src/core/plan/types/plan.ts';
import { type PlanInputs } from '../../../src/core/plan/types/plan-inputs.ts';
import { exitForPlan } from '../../../src/run/apply/exit-code.ts';
import { type GivenEntry, givenDesired } from '../../given/desired.ts';
import { at, givenFleet } from '../../given/fleet.ts';

const account = { companyId: '1', service: 'emulator' };
const errors = (made: Plan) =>
  made.problems.filter((each) => each.severity === 'error').map((each) => each.code);

describe('the guard for missing hosts', () => {
  const place = { file: 'fleet.yaml', line: 3, col: 5 };
  const share = (percent: number) => ({ missing: { kind: 'share', percent } }) as const;
  const absencesOf = (parts: Partial<MissingHostsInputs>) =>
    missingHosts({
      limits: share(20),
      pinned: { entries: 0, missing: 0, absent: 0 },
      fleetSize: 100,
      deletes: false,
      allowEmptyFleet: false,
      ...parts,
    });
  const messagesOf = (parts: Partial<MissingHostsInputs>) =>
    absencesOf(parts).map(({ problem }) => problem.message);

  it('stops a plan if the only pinned host is missing, although a share allows at least one', () => {
    const one = { pinned: { entries: 1, missing: 1, absent: 0 } };
    expect(messagesOf(one)).toEqual([
      '100 % of the hosts that the desired state pins by id are not in the list, so the list may be incomplete',
    ]);
    expect(absencesOf(one)[0]?.problem.hint).toContain('1 host is missing, and the limit is 0:');
    expect(messagesOf({ ...one, limits: share(100) })).toEqual([]);
    expect(messagesOf({ pinned: { entries: 2, missing: 1, absent: 0 } })).toEqual([]);
  });

  it('reports a list that is short for both reasons once, with the larger number', () => {
    const both = {
      pinned: { entries: 8, missing: 7, absent: 0 },
      lastFleetSize: 10,
      fleetSize: 2,
      deletes: true,
    };
    expect(
      absencesOf(both).map(({ breach, problem: { message, hint } }) => [breach.count, message, hint]),
    ).toEqual([
      [
        8,
        '88 % of the hosts that the desired state pins by id are not in the list, so the list may be incomplete; the list is 80 % shorter than after the last run, and deletions are planned',
        '8 hosts are missing, and the limit is 2: remove the entries of deleted hosts, or raise policy.limits.missing',
      ],
    ]);
  });

  it('reports the hosts that an empty list should contain', () => {
    const empty = { fleetSize: 0 };
    const pinned = (entries: number, absent = 0) => ({
      ...empty,
      pinned: { entries, missing: entries, absent },
    });
    expect(messagesOf(pinned(1))).toEqual([
      'the list has no hosts, although the desired state pins 1 host by id',
    ]);
    expect(messagesOf({ ...pinned(1, 1), lastFleetSize: 9 })).toEqual([
      'the list has no hosts, although the desired state pins 2 hosts by id',
    ]);
    expect(messagesOf({ ...empty, lastFleetSize: 1 })).toEqual([
      'the list has no hosts, although the fleet had 1 host after the last run',
    ]);
    expect(messagesOf({ ...empty, lastFleetSize: 40 })).toEqual([
      'the list has no hosts, although the fleet had 40 hosts after the last run',
    ]);
  });

  it('is a breach that names its limit, and nobody has approved it', () => {
    const empty = { fleetSize: 0, lastFleetSize: 40 };
    const breach = { limit: 'missing', count: 40, allowed: 0, acknowledged: false };
    const named = absencesOf({ ...empty, limitPlaces: { missing: place } })[0];
    expect(named?.breach).toEqual({ ...breach, place });
    expect(named?.problem).toMatchObject({ code: 'hosts-missing', place, policy: 'limits.missing' });
    const unnamed = absencesOf({ ...empty, limitPlaces: {} })[0];
    expect(unnamed?.breach).toEqual(breach);
    expect(unnamed?.problem).not.toHaveProperty('place');
    expect(absencesOf(empty)[0]?.breach).toEqual(breach);
  });
});

describe('a list without hosts', () => {
  const onEmpty = (
    entries: readonly GivenEntry[],
    options: Partial<PlanInputs> = {},
    limits: Partial<Limits> = {},
  ) =>
    makePlan({
      desired: givenDesired(entries, limits),
      observed: givenFleet([]),
      account,
      now: at,
      ...options,
    });

  it.each<readonly [string, readonly GivenEntry[]]>([
    ['one', [{ id: 1, name: 'A' }]],
    ['two', [{ id: 1, name: 'A' }, { id: 2 }]],
    ['one that must be absent', [{ id: 1, ensure: 'absent' }]],
  ])('is refused if entries pin ids: %s', (_, entries) => {
    const made = onEmpty(entries);
    expect(errors(made)).toEqual(['hosts-missing']);
    expect(made.problems.at(-1)?.message).toContain('the list has no hosts');
    expect(made.problems.at(-1)?.hint).toContain('--allow-empty-fleet');
    expect(exitForPlan(made, { detailed: false })).toBe(3);
  });
  it('is refused if the last run left hosts', () => {
    expect(errors(onEmpty([{ name: 'NEW' }], { lastFleetSize: 40 }))).toEqual(['hosts-missing']);
    expect(errors(onEmpty([{ name: 'NEW' }], { lastFleetSize: 0 }))).toEqual([]);
  });
  it('is accepted if nothing contradicts it', () => expect(errors(onEmpty([{ name: 'NEW' }]))).toEqual([]));
  it('is accepted if the user says so', () => {
    expect(errors(onEmpty([{ id: 1 }], { allowEmptyFleet: true, lastFleetSize: 40 }))).toEqual([]);
    const share = (percent: number): Partial<Limits> => ({ missing: { kind: 'share', percent } });
    expect(errors(onEmpty([{ id: 1 }], {}, share(100)))).toEqual([]);
    expect(errors(onEmpty([{ id: 1 }], {}, share(99)))).toEqual(['hosts-missing']);
    const count = (most: number): Partial<Limits> => ({ missing: { kind: 'count', count: most } });
    expect(errors(onEmpty([{ id: 1 }, { id: 2 }], {}, count(2)))).toEqual([]);
    expect(errors(onEmpty([{ id: 1 }, { id: 2 }], {}, count(1)))).toEqual(['hosts-missing']);
  });
});
