import { describe, expect, it } from 'vitest';
import { trackLists } from '../../../src/run/state/track-lists.ts';
import type { ClientEvent } from '../../../src/service/client/client-event.ts';
import { type Action, actions, api } from '../../../src/service/contract/api.ts';

const list = actions.find((action) => api[action].method === 'GET' && api[action].rateLimited) as Action;
const unlimited = actions.find(
  (action) => api[action].method === 'GET' && !api[action].rateLimited,
) as Action;
const limitedReport = actions.find(
  (action) => api[action].method === 'POST' && api[action].rateLimited,
) as Action;
const write = actions.find((action) => api[action].method === 'PUT') as Action;
const call = (status: number | null, action = list): ClientEvent => ({
  type: 'call',
  action,
  status,
  ms: 1,
  attempt: 1,
  waitedMs: 0,
});

/** A tracker whose clock starts at 1,000,000 ms. */
function tracked(shared: Parameters<typeof trackLists>[0] = []) {
  let now = 1_000_000;
  const tracker = trackLists(shared, { now: () => now, sleep: async () => {} });
  return {
    tracker,
    pass: (ms: number) => (now += ms),
    hear: (status: number | null) => tracker.hear(call(status)),
  };
}

describe('the times of lists', () => {
  it('cause no wait and are not shared while the service refuses no list', () => {
    const { tracker, hear, pass } = tracked();
    hear(200);
    pass(10);
    hear(200);
    expect(tracker.notBefore(list)).toBeUndefined();
    expect(tracker.notBefore(unlimited)).toBeUndefined();
    expect(tracker.learned()).toEqual([]);
  });
  it('give the time of the next accepted call from the measurement of another process', () => {
    const { tracker } = tracked([{ action: list, ageMs: 20_000, everyMs: 60_000 }]);
    expect(tracker.notBefore(list)).toBe(1_000_000 + 40_000);
    expect(tracker.learned()).toEqual([]);
  });
  it('never cause a wait of more than five minutes, for any saved value', () => {
    const { tracker } = tracked([{ action: list, ageMs: 0, everyMs: 1e15 }]);
    expect(tracker.notBefore(list)).toBe(1_000_000 + 300_000);
  });
  it('measure the limit between two reads with a refusal between them', () => {
    const { tracker, hear, pass } = tracked();
    hear(200);
    pass(30_000);
    hear(429);
    pass(15_000);
    hear(200);
    pass(2_000);
    expect(tracker.learned()).toEqual([{ action: list, ageMs: 2_000, everyMs: 45_000 }]);
    expect(tracker.notBefore(list)).toBe(1_045_000 + 45_000);
  });
  it('measure a gap of five minutes, and none that is longer', () => {
    for (const [gapMs, everyMs] of [
      [300_000, 300_000],
      [300_001, 60_000],
    ] as const) {
      const { tracker, hear, pass } = tracked();
      hear(200);
      hear(429);
      pass(gapMs);
      hear(200);
      expect(tracker.learned()).toEqual([{ action: list, ageMs: 0, everyMs }]);
    }
  });
  it('are not measured for calls without a list that has a limit', () => {
    const { tracker } = tracked();
    for (const action of [write, unlimited, limitedReport])
      for (const status of [200, 429, 200]) tracker.hear(call(status, action));
    expect(tracker.learned()).toEqual([]);
  });
  it('keep the known limit after a read that was not refused', () => {
    const { tracker, hear, pass } = tracked([{ action: list, ageMs: 70_000, everyMs: 60_000 }]);
    hear(500);
    hear(200);
    pass(1_000);
    expect(tracker.learned()).toEqual([{ action: list, ageMs: 1_000, everyMs: 60_000 }]);
  });
  it('ignore failed reads, writes and waits', () => {
    const { tracker, hear } = tracked([{ action: list, ageMs: 70_000, everyMs: 60_000 }]);
    hear(500);
    hear(null);
    const waiting: ClientEvent = { type: 'waiting', action: list, ms: 5 };
    for (const status of [429, 200]) tracker.hear({ ...waiting, status } as ClientEvent);
    tracker.hear(call(200, write));
    expect(tracker.learned()).toEqual([]);
  });
});
