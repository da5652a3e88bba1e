import { describe, expect, it } from 'vitest';
import { nothingRecalled } from '../../../src/core/model/install-request.ts';
import { makePlan } from '../../../src/core/plan/make-plan.ts';
import type { Pace } from '../../../src/core/plan/types/forecast.ts';
import type { Plan } from '../../../src/core/plan/types/plan.ts';
import { type GivenEntry, givenDesired } from '../../given/desired.ts';
import { at, givenFleet, hostId, named } from '../../given/fleet.ts';
import { givenPlan } from '../../given/plan.ts';

const account = { companyId: '1', service: 'emulator' };

/** One chain of this many renames, and the same number of independent renames. */
function chain(length: number, loose: number, options: { readonly pace?: Pace } = {}): Plan {
  const hosts = Array.from({ length: length + loose }, (_, index) => ({ id: index + 1, name: `h${index}` }));
  const entries = hosts.map(({ id }, index) => ({
    id,
    name: index < length ? `h${index + 1}` : `fresh-${index}`,
  }));
  const target = entries.map((entry, index) => (index === length - 1 ? { ...entry, name: 'end' } : entry));
  return makePlan({
    desired: givenDesired(target),
    observed: givenFleet(hosts),
    account,
    now: at,
    ...options,
  });
}

describe('the forecast', () => {
  it('is left out if no pace is known', () => expect(chain(3, 0).forecast).toBeUndefined());
  it('of a chain is bound by latency', () => {
    const pace = { rate: 50, latency: 0.1 };
    expect(chain(1000, 0, { pace }).forecast).toEqual({ pace, seconds: 100 });
  });
  it('of independent renames is bound by the rate', () => {
    expect(chain(1, 999, { pace: { rate: 50, latency: 0.1 } }).forecast?.seconds).toBeCloseTo(20.1, 1);
  });
  it.each<[what: string, rate: number, latency: number, entries: readonly GivenEntry[], seconds: number]>([
    ['one rename takes a response', 1, 3, [{ id: 1, name: 'a' }], 3],
    ['three renames are sent one after another', 1, 3, [1, 2, 3].map((id) => ({ id, name: `n${id}` })), 5],
    [
      'a chain of three begins before the others, and its responses are awaited',
      1,
      3,
      [
        { id: 4, name: 'x' },
        { id: 1, name: 'h1' },
        { id: 2, name: 'h2' },
        { id: 3, name: 'h9' },
      ],
      9,
    ],
    [
      'a chain goes on before others begin',
      1,
      3,
      [
        { id: 1, name: 'h1' },
        { id: 2, name: 'h2' },
        { id: 3, name: 'h9' },
        ...[5, 6, 7, 8].map((id) => ({ id, name: `n${id}` })),
      ],
      9,
    ],
    ['moves are sent one after another', 1, 3, [1, 2, 3].map((id) => ({ id, group: { id: 10 } })), 5],
    ['the last rename of a ring waits for the two before it', 1, 3, named('h1', 'h0'), 9],
    [
      'moves are sent beside renames, and the anti-virus and deletions after them',
      1,
      3,
      [
        { id: 1, name: 'a', group: { id: 10 } },
        { id: 2, antivirus: true },
        { id: 3, ensure: 'absent' },
      ],
      9,
    ],
    [
      'calls of a kind are sent one after another',
      2,
      0.5,
      [1, 2, 3].map((id) => ({ id, ensure: 'absent' })),
      1.5,
    ],
  ])('%s', (_, rate, latency, entries, seconds) => {
    const hosts = [1, 2, 3, 4, 5, 6, 7, 8].map((id) => ({
      id,
      name: `h${id - 1}`,
      antivirus: 'missing' as const,
    }));
    const options = { pace: { rate, latency }, batchSize: 1 };
    const { forecast } = givenPlan({ entries, hosts, groups: { 10: 'Berlin' }, options });
    expect(forecast).toEqual({ pace: { rate, latency }, seconds });
  });

  it('waits for the deletion of a host that frees its name, and for hosts that report their status', () => {
    const pace = { rate: 1, latency: 3 };
    const hosts = [1, 2].map((id) => ({ id, name: `h${id}`, antivirus: 'missing' as const }));
    const entries = [
      { id: 1, ensure: 'absent' as const },
      { id: 2, name: 'h1' },
    ];
    expect(givenPlan({ entries, hosts, options: { pace, deleteFirst: true } }).forecast?.seconds).toBe(6);
    const request = { state: 'in-doubt', requestedAt: at } as const;
    const installs = { ...nothingRecalled, requests: new Map(hosts.map(({ id }) => [hostId(id), request])) };
    const doubtful = givenPlan({
      entries: hosts.map(({ id }) => ({ id, antivirus: true })),
      hosts,
      options: { pace, batchSize: 1, installs },
    });
    expect([doubtful.summary.refresh, doubtful.forecast?.seconds]).toEqual([2, 4]);
  });
});
