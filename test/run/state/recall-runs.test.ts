import { describe, expect, it } from 'vitest';
import { failed, ok, problem, warning } from '../../../src/core/problem/problem.ts';
import type { RunQuery } from '../../../src/run/state/interface/state.ts';
import { hasRunSince, recallRuns } from '../../../src/run/state/recall-runs.ts';
import { givenDigest, listing, partialState, timeAt } from '../../given/runs.ts';

const account = { companyId: '42', service: 'https://service.example' };
const now = Date.parse(timeAt(100));
const away = failed(problem('state', 'away'));

describe('the record of earlier runs', () => {
  it('includes the latest pace, and the fleet of the latest run', async () => {
    const state = partialState({
      listRuns: listing([
        givenDigest(3, { deleted: 4 }),
        givenDigest(2, { pace: { rate: 2, latency: 1 } }),
        givenDigest(1, { pace: { rate: 1, latency: 1 } }),
      ]),
    });
    expect(await recallRuns(state, account, { now })).toMatchObject({
      value: { pace: { rate: 2, latency: 1 }, fleetSize: 6 },
    });
  });

  it('includes the installs within the window', async () => {
    const request = { host_id: '7', kind: 'antivirus' as const, at: timeAt(90), in_doubt: false };
    const state = partialState({ listRuns: listing([givenDigest(80, { requests: [request] })]) });
    const recalled = async (windowMs: number) => {
      const result = await recallRuns(state, account, { now, windowMs, settleMs: 5 });
      if (!result.ok) throw new Error('not recalled');
      const { installs } = result.value;
      return { ...installs, requests: [...installs.requests] };
    };
    expect(await recalled(10_001)).toEqual({
      requests: [['7', { state: 'accepted', requestedAt: timeAt(90) }]],
      windowMs: 10_001,
      settleMs: 5,
    });
    expect((await recalled(10_000)).requests).toEqual([]);
  });

  it('goes by the clock of the state, and has the times of this machine', async () => {
    const at = (seconds: number, host: string, kind: 'antivirus' | 'refresh') => ({
      host_id: host,
      kind,
      at: timeAt(seconds),
      in_doubt: false,
    });
    const requests = [at(104, '7', 'antivirus'), at(105, '8', 'antivirus'), at(106, '7', 'refresh')];
    const queries: RunQuery[] = [];
    const state = partialState({
      clockSkewMs: async () => ok(10_000),
      listRuns: listing([givenDigest(80, { requests })], queries),
    });
    const recalled = await recallRuns(state, account, { now, windowMs: 60_000 });
    expect(queries).toEqual([{ account, since: now + 10_000 - 60_000 - 24 * 3_600_000, atLeast: 20 }]);
    expect(recalled.ok && [...recalled.value.installs.requests]).toEqual([
      ['7', { state: 'accepted', requestedAt: timeAt(94), refreshedAt: timeAt(96) }],
      ['8', { state: 'accepted', requestedAt: timeAt(95) }],
    ]);
  });

  it('fails if the clock of the state is unknown', async () => {
    const state = partialState({ clockSkewMs: async () => away, listRuns: listing([]) });
    expect(await recallRuns(state, account, { now })).toEqual(away);
  });

  it("fails if it can't be read", async () => {
    expect(await recallRuns(partialState({ listRuns: async () => away }), account, { now })).toEqual(away);
  });
});

describe('a run since a time', () => {
  const since = (listRuns: ReturnType<typeof listing>, seconds: number) =>
    hasRunSince(partialState({ listRuns }), account, timeAt(seconds));

  it("is assumed if the latest run can't be read", async () => {
    expect(await since(async () => away, 50)).toBe(true);
    expect(await since(async () => ok([], [warning('journal', 'damaged')]), 50)).toBe(true);
  });
  it('is assumed if the clock of the state is unknown', async () => {
    const state = partialState({ clockSkewMs: async () => away, listRuns: listing([givenDigest(5)]) });
    expect(await hasRunSince(state, account, timeAt(50))).toBe(true);
  });
  it('is compared by the clock of the state', async () => {
    const state = partialState({
      clockSkewMs: async () => ok(10_000),
      listRuns: listing([givenDigest(5, { lastAt: timeAt(20) })]),
    });
    expect(await hasRunSince(state, account, timeAt(9))).toBe(true);
    expect(await hasRunSince(state, account, timeAt(10))).toBe(false);
  });
  it('is searched for in the latest run of the account', async () => {
    const queries: RunQuery[] = [];
    await since(listing([], queries), 0);
    expect(queries).toEqual([{ account, limit: 1 }]);
  });
});
