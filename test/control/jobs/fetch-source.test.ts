import { describe, expect, it } from 'vitest';
import { type FetchParts, fetchSourceJob } from '../../../src/control/jobs/fetch-source.ts';
import type { Notice } from '../../../src/control/notify/notice.ts';
import type { Snapshot } from '../../../src/control/sources/snapshot.ts';
import type { SourceRecord } from '../../../src/control/store/sources.ts';
import { problem } from '../../../src/core/problem/problem.ts';
import { failed, ok, type Result } from '../../../src/core/problem/result.ts';

const failure = { code: 'network', message: 'the remote is away', since: '2026-11-23T08:00:00.000Z' };

async function fetched(
  record: Partial<SourceRecord> | undefined,
  found: Result<Partial<Snapshot>>,
  isNew = false,
) {
  const done: string[] = [];
  const notices: Notice[] = [];
  const before = { name: 'fleet', commit: 'c1', fetchedAt: null, problem: null, ...record };
  const parts = {
    settings: {
      sources: [{ name: 'fleet' }],
      accounts: [{ name: 'berlin' }, { name: 'oslo', source: 'fleet' }],
    },
    sources: {
      refresh: async () => found,
      prune: (_: string, kept: string[]) => done.push(`prune ${kept.join(',')}`),
    },
    store: {
      sources: {
        list: async () => (record === undefined ? [] : [before]),
        fetched: async (_: string, commit: string) => {
          done.push(`fetched ${commit}`);
          return isNew;
        },
        failed: async (_: string, { message }: { message: string }) => void done.push(`failed ${message}`),
      },
      events: { append: async ({ type }: { type: string }) => void done.push(type) },
    },
    queue: {
      send: async (name: string, jobs: { key: string }[]) =>
        void done.push(`${name} ${jobs.map(({ key }) => key).join(',')}`),
    },
    notifier: { enqueue: async (...given: Notice[]) => void notices.push(...given) },
  } as unknown as FetchParts;
  await fetchSourceJob('fleet', parts, new AbortController().signal);
  await fetchSourceJob('gone', parts, new AbortController().signal);
  return { done, notices: notices.map(({ topic }) => topic) };
}

describe('a look at a source', () => {
  const away = failed(problem('network', 'the remote is away'));
  it('checks the accounts of the source after a new commit', async () => {
    expect(await fetched({}, ok({ commit: 'c2' }), true)).toEqual({
      done: ['fetched c2', 'source.changed', 'prune c1', 'check berlin,oslo'],
      notices: [],
    });
    expect((await fetched(undefined, ok({ commit: 'c2' }), true)).done).toContain('check berlin,oslo');
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
