import { describe, expect, test } from 'vitest';
import { createVirtualClock } from '../../../src/core/lib/virtual-clock.ts';
import { ungroupedId } from '../../../src/core/model/observed.ts';
import type { Limit } from '../../../src/core/model/policy.ts';
import { ok, type Problem, problem } from '../../../src/core/problem/problem.ts';
import { LiveFleet } from '../../../src/terraform/fleet/live-fleet.ts';
import type { ProviderCall } from '../../../src/terraform/protocol/provider/call.ts';
import { createClaims } from '../../../src/terraform/provider/claims.ts';
import { planHostDeletion } from '../../../src/terraform/provider/host/delete-host.ts';
import type { HostResourceState } from '../../../src/terraform/provider/host/host-values.ts';
import { createPlannedDeletions } from '../../../src/terraform/provider/host/planned-deletions.ts';
import type { Rampart } from '../../../src/terraform/provider/service.ts';
import { givenFleet, hostId } from '../../given/fleet.ts';

const tenth: Limit = { kind: 'share', percent: 10 };

/** Deletions that arrive this many milliseconds after one another, of hosts 1 to n in a fleet of 40. */
async function refusals(
  count: number,
  approved: number | undefined,
  { limit = tenth, everyMs = 300 }: { readonly limit?: Limit; readonly everyMs?: number } = {},
) {
  const clock = createVirtualClock(0, { auto: true });
  const deletions = createPlannedDeletions({ clock, limit, approved });
  const signal = new AbortController().signal;
  const all = Array.from({ length: count }, async (_, index) => {
    await clock.sleep(index * everyMs);
    const host = {
      id: hostId(index + 1),
      name: index === 0 ? null : `h${index + 1}`,
      groupId: ungroupedId,
      online: true,
    };
    const before = clock.now();
    const problem = await deletions.add(host, 40, signal);
    return { problem, waitedMs: clock.now() - before };
  });
  const ends = await Promise.all(all);
  return {
    problems: ends.flatMap(({ problem }) => problem ?? []),
    waited: ends.map(({ waitedMs }) => waitedMs > 0),
  };
}

describe('without an approval', () => {
  test('deletions up to the limit return at once', async () => {
    expect(await refusals(4, undefined)).toEqual({ problems: [], waited: [false, false, false, false] });
  });

  test('one response has the number of all', async () => {
    const { problems, waited } = await refusals(30, undefined);
    expect(problems).toMatchObject([
      {
        code: 'limit-exceeded',
        message: 'this run deletes 30 hosts, and 4 may be deleted',
        hint: expect.stringMatching(/host 1, host 2 "h2", .* and 10 more\), .* acks = \{ delete = 30 \}/),
      },
    ]);
    expect(problems[0]?.hostIds).toHaveLength(30);
    expect(waited.filter(Boolean)).toHaveLength(1);
  });

  test('a later deletion is refused again, with the number at that time', async () => {
    const { problems } = await refusals(6, undefined, { everyMs: 2000 });
    expect(problems.map(({ message }) => message.split(',')[0])).toEqual([
      'this run deletes 5 hosts',
      'this run deletes 6 hosts',
    ]);
  });

  test.each([
    [20, /h20"\), then/],
    [21, /h20" and 1 more\), then/],
  ])('the response lists at most twenty of %d hosts', async (count, hint) => {
    const { problems } = await refusals(count, undefined);
    expect(problems).toMatchObject([{ hint: expect.stringMatching(hint) }]);
  });

  test('an abort ends the wait for more', async () => {
    const clock = createVirtualClock(0);
    const deletions = createPlannedDeletions({
      clock,
      limit: { kind: 'count', count: 0 },
      approved: undefined,
    });
    const controller = new AbortController();
    const host = { id: hostId(1), name: 'h1', groupId: ungroupedId, online: true };
    const adding = deletions.add(host, 40, controller.signal);
    await clock.advance(10);
    controller.abort();
    expect(await adding).toMatchObject({ code: 'limit-exceeded' });
  });

  test('a limit of zero refuses one', async () => {
    expect((await refusals(1, undefined, { limit: { kind: 'count', count: 0 } })).problems).toMatchObject([
      { message: 'this run deletes 1 host, and 0 may be deleted' },
    ]);
  });
});

describe('a planned destroy', () => {
  const call = (refusal: Problem | undefined) => {
    const service = {
      session: { observed: async () => ok(new LiveFleet(givenFleet([{ id: 1, name: 'A' }]))) },
      deletions: { add: async () => refusal },
      names: { releases: () => undefined, forgets: () => undefined },
      claims: createClaims(),
    };
    const { signal } = new AbortController();
    return { client: { service: ok(service) }, signal } as unknown as ProviderCall<Rampart>;
  };
  const destroy = (on_destroy: string, refusal?: Problem) =>
    planHostDeletion({ state: { id: '1', on_destroy } as HostResourceState, private: null }, call(refusal));

  test('shows the deletion, and the refusal of all deletions after it', async () => {
    expect(await destroy('delete')).toMatchObject({ diagnostics: [{ severity: 'warning' }] });
    expect(await destroy('delete', problem('limit-exceeded', 'this run deletes 2 hosts'))).toMatchObject({
      diagnostics: [{ severity: 'warning' }, { severity: 'error', summary: 'This run deletes 2 hosts' }],
      private: { deletes: { name: 'A', groupId: ungroupedId } },
    });
  });

  test('is an error about on_destroy if that protects the host, and nothing if it forgets the host', async () => {
    expect(await destroy('prevent')).toMatchObject({
      diagnostics: [{ severity: 'error', path: ['on_destroy'] }],
    });
    expect(await destroy('forget')).toEqual({});
  });
});

describe('with an approval', () => {
  test.each([1, 4, 5, 30])('of exactly this many, %d are applied', async (count) => {
    expect((await refusals(count, count)).problems).toEqual([]);
  });

  test.each([
    [5, 4],
    [5, 6],
    [3, 4],
    [1, 0],
  ])('of another number, %d are refused if %d are approved', async (count, approved) => {
    expect((await refusals(count, approved)).problems).toMatchObject([
      {
        code: 'ack-mismatch',
        message: `this run deletes ${count === 1 ? '1 host' : `${count} hosts`}, and acks in the provider block approves ${approved}`,
      },
    ]);
  });

  test('a deletion after the approved number was reached is refused', async () => {
    const { problems } = await refusals(6, 5, { everyMs: 200 });
    expect(problems).toHaveLength(1);
    const late = createPlannedDeletions({
      clock: createVirtualClock(0, { auto: true }),
      limit: tenth,
      approved: 1,
    });
    const signal = new AbortController().signal;
    const host = (id: number) => ({ id: hostId(id), name: `h${id}`, groupId: ungroupedId, online: true });
    expect(await late.add(host(1), 40, signal)).toBeUndefined();
    expect(await late.add(host(1), 40, signal)).toBeUndefined();
    expect(await late.add(host(2), 40, signal)).toMatchObject({ code: 'ack-mismatch' });
  });

  test('no plan waits again for an approved number', async () => {
    const clock = createVirtualClock(0, { auto: true });
    const deletions = createPlannedDeletions({ clock, limit: tenth, approved: 1 });
    const signal = new AbortController().signal;
    const host = { id: hostId(1), name: 'h1', groupId: ungroupedId, online: true };
    await deletions.add(host, 40, signal);
    const before = clock.now();
    await deletions.add(host, 40, signal);
    expect(clock.now()).toBe(before);
  });
});
