import { describe, expect, it } from 'vitest';
import { failed, ok, problem, type Result } from '../../../../src/core/problem/problem.ts';
import type { NewNotification } from '../../../../src/server/notifications/records/notifications.ts';
import type { SourceRecord } from '../../../../src/server/sources/records/sources.ts';
import { type FetchParts, fetchSourceJob } from '../../../../src/server/sources/rules/fetch-source.ts';
import type { SourceSnapshot } from '../../../../src/server/sources/rules/snapshot.ts';
import { oneAtATime } from '../../../given/one-at-a-time.ts';
import { channelOf } from '../../notifications/given.ts';

const failure = { code: 'network', message: 'the remote is away', since: '2026-11-23T08:00:00.000Z' };

/** What each look of `fetched` returned. */
const turns: unknown[] = [];

async function fetched(
  record: Partial<SourceRecord> | undefined,
  found: Result<Partial<SourceSnapshot>>,
  isNew = false,
) {
  const done: string[] = [];
  const notices: NewNotification[] = [];
  const before = { name: 'fleet', commit: 'c1', fetchedAt: null, problem: null, ...record };
  const parts = {
    settings: {
      sources: [{ name: 'fleet' }],
      notifications: [channelOf('ops')],
      accounts: [{ name: 'berlin' }, { name: 'oslo', source: 'fleet' }],
      cadenceMs: 600_000,
    },
    sources: {
      refresh: async () => found,
      prune: (_: string, kept: string[]) => done.push(`prune ${kept.join(',')}`),
    },
    store: {
      transaction: async (work: (own: unknown) => Promise<unknown>) => work(parts.store),
      notifications: {
        enqueue: async (given: readonly NewNotification[]) => void notices.push(...given),
      },
      sources: {
        list: async () => (record === undefined ? [] : [before]),
        fetched: async (_: string, commit: string) => {
          done.push(`fetched ${commit}`);
          return isNew;
        },
        failed: async (_: string, { message }: { message: string }) => void done.push(`failed ${message}`),
      },
      accounts: { find: async (name: string) => ({ name, plan: null, run: null, checkBeganAt: null }) },
      events: { append: async ({ type }: { type: string }) => void done.push(type) },
    },
    queue: {
      send: async (name: string, keys: readonly string[]) => void done.push(`${name} ${keys.join(',')}`),
    },
    clock: { now: () => 0, sleep: async () => {} },
  } as unknown as FetchParts;
  const turn = await fetchSourceJob('fleet', parts, new AbortController().signal);
  expect(await fetchSourceJob('gone', parts, new AbortController().signal)).toBeUndefined();
  turns.push(turn);
  return { done, notices: notices.map(({ topic }) => topic) };
}

describe('a fetch of a source', () => {
  const away = failed(problem('network', 'the remote is away'));
  it('checks the accounts of the source after a new commit', async () => {
    expect(await fetched({}, ok({ commit: 'c2' }), true)).toEqual({
      done: ['fetched c2', 'source.changed', 'prune c1', 'check berlin,oslo'],
      notices: [],
    });
    expect((await fetched(undefined, ok({ commit: 'c2' }), true)).done).toContain('check berlin,oslo');
  });
  it('reports a new commit, a failure, another failure and its end, and nothing that stays the same', async () => {
    turns.length = 0;
    await fetched({}, ok({ commit: 'c2' }), true);
    await fetched({}, ok({ commit: 'c1' }));
    await fetched({}, away);
    await fetched({ problem: failure }, away);
    await fetched({ problem: { ...failure, message: 'other' } }, away);
    await fetched({ problem: failure }, ok({ commit: 'c1' }));
    const problemNow = { problem: 'the remote is away' };
    expect(turns).toEqual([{ commit: 'c2' }, undefined, problemNow, undefined, problemNow, { commit: 'c1' }]);
  });
  it('changes nothing while the commit is the same', async () => {
    expect(await fetched({}, ok({ commit: 'c1' }))).toEqual({ done: ['fetched c1'], notices: [] });
  });
  it('reports a failure once, and its end', async () => {
    expect(await fetched({}, away)).toEqual({
      done: ['failed the remote is away', 'source.changed'],
      notices: ['source fleet'],
    });
    expect(await fetched({ problem: failure }, away)).toEqual({
      done: ['failed the remote is away'],
      notices: [],
    });
    expect(await fetched({ problem: { ...failure, message: 'another' } }, away)).toEqual({
      done: ['failed the remote is away', 'source.changed'],
      notices: [],
    });
    expect(await fetched({ problem: failure }, ok({ commit: 'c1' }))).toEqual({
      done: ['fetched c1', 'source.changed'],
      notices: ['source fleet recovered'],
    });
  });
});

describe('the result of fetching one of several sources', () => {
  async function looked(
    found: Result<Partial<SourceSnapshot>>,
    { isAborted = false, wasFailing = false } = {},
  ) {
    const done: string[] = [];
    const notices: NewNotification[] = [];
    // One step after another: a step's unwritten results are lost if the worker ends.
    const { alone, expectAllEnded } = oneAtATime();
    const record = { name: 'fleet', commit: null, fetchedAt: null, problem: wasFailing ? failure : null };
    const parts = {
      settings: {
        sources: [{ name: 'lab' }, { name: 'fleet' }],
        notifications: [channelOf('ops')],
        accounts: [
          { name: 'berlin', source: 'fleet' },
          { name: 'bench', source: 'lab' },
        ],
        cadenceMs: 600_000,
      },
      sources: {
        refresh: () => alone(() => found),
        prune: (_: string, kept: string[]) => done.push(`prune ${kept.join()}`),
      },
      store: {
        transaction: async (work: (own: unknown) => Promise<unknown>) => work(parts.store),
        notifications: {
          enqueue: (given: readonly NewNotification[]) => alone(() => void notices.push(...given)),
        },
        sources: {
          list: async () => [record],
          fetched: () => alone(() => true),
          failed: (name: string, problem: object) =>
            alone(() => void done.push(`${name} failed ${JSON.stringify(problem)}`)),
        },
        accounts: { find: async (name: string) => ({ name, plan: null, run: null, checkBeganAt: null }) },
        events: {
          append: ({ resource }: { resource: string }) => alone(() => void done.push(`event ${resource}`)),
        },
      },
      queue: {
        send: (_: string, keys: readonly string[]) => alone(() => void done.push(`check ${keys.join(',')}`)),
      },
      clock: { now: () => 0, sleep: async () => {} },
    } as unknown as FetchParts;
    await fetchSourceJob('fleet', parts, isAborted ? AbortSignal.abort() : new AbortController().signal);
    expectAllEnded();
    return { done, notices };
  }

  it('is a check of its own accounts, and of no others', async () => {
    expect((await looked(ok({ commit: 'c2' }))).done).toEqual(['event fleet', 'prune ', 'check berlin']);
  });

  it('is a failure with its hint, in the record and in the notice', async () => {
    const hinted = failed(problem('network', 'the remote is away', { hint: 'check the address' }));
    const { done, notices } = await looked(hinted);
    expect(done).toEqual([
      'fleet failed {"code":"network","message":"the remote is away","hint":"check the address"}',
      'event fleet',
    ]);
    expect(notices).toMatchObject([
      {
        kind: 'source',
        account: null,
        topic: 'source fleet',
        facts: {
          title: 'The source "fleet" can\'t be read: the remote is away',
          lines: ['check the address', 'The commit that was read last stays in use until then.'],
          path: '/settings',
        },
      },
    ]);
    const plain = await looked(failed(problem('network', 'the remote is away')));
    expect(plain.done[0]).toBe('fleet failed {"code":"network","message":"the remote is away"}');
    expect(plain.notices[0]?.facts['lines']).toHaveLength(1);
  });

  it('ends the failure, for everyone who was notified', async () => {
    const { notices } = await looked(ok({ commit: 'c2' }), { wasFailing: true });
    expect(notices).toMatchObject([
      {
        kind: 'source',
        account: null,
        topic: 'source fleet recovered',
        facts: { title: 'The source "fleet" can be read again', path: '/settings' },
      },
    ]);
  });

  it('is nothing if the worker was stopped, or the failure has no words', async () => {
    const away = failed(problem('cancelled', 'the fetch was cancelled'));
    expect(await looked(away, { isAborted: true })).toEqual({ done: [], notices: [] });
    expect(await looked(failed())).toEqual({ done: [], notices: [] });
  });
});
