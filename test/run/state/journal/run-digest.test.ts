import { describe, expect, it } from 'vitest';
import type { JournalRecord } from '../../../../src/run/state/journal/record.ts';
import { digestOf, fleetSizeAfter } from '../../../../src/run/state/journal/run-digest.ts';
import { givenBegin, givenDigest, givenRun, timeAt } from '../../../given/runs.ts';

const outcome = (step: string, of: 'done' | 'already' | 'failed' | 'unknown' | 'skipped'): JournalRecord => ({
  type: 'outcome',
  at: timeAt(2),
  step,
  outcome: of,
});
const end = (parts: object = {}): JournalRecord => ({ type: 'end', at: timeAt(3), exit_code: 0, ...parts });

describe('the digest of a run', () => {
  it('shows that the run ended with success', () => {
    const digest = { done: 5, deleted: 1, requests: [] };
    expect(digestOf(givenRun(0, [end({ digest, pace: { rate: 2, latency: 1 } })]))).toMatchObject({
      state: 'completed',
      exitCode: 0,
      lastAt: timeAt(3),
      pace: { rate: 2, latency: 1 },
      ...digest,
    });
  });
  it('shows that the run crashed, and when it last wrote a record', () => {
    expect(digestOf(givenRun(0, [givenBegin('s1', 'rename', ['1'], 4)]))).toMatchObject({
      state: 'crashed',
      exitCode: null,
      lastAt: timeAt(4),
    });
    expect(digestOf({ ...givenRun(7), records: [] })).toMatchObject({ state: 'crashed', lastAt: timeAt(7) });
  });
  it('comes from the end record, or from the other records if there is none', () => {
    const records = [givenBegin('s1', 'delete', ['1', '2']), outcome('s1', 'done')];
    expect(digestOf(givenRun(0, [...records, end()]))).toMatchObject({ done: 1, deleted: 2 });
    const digest = { done: 9, deleted: 9, requests: [] };
    expect(digestOf(givenRun(0, [...records, end({ digest })]))).toMatchObject(digest);
  });
});

it('makes the fleet smaller by the hosts that its run deleted', () => {
  expect(fleetSizeAfter(givenDigest(0, { deleted: 3 }))).toBe(7);
});
