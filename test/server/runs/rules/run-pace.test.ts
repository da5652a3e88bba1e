import { describe, expect, it } from 'vitest';
import type { ActionPace } from '../../../../src/accounts/engine/connection.ts';
import { createRunPace } from '../../../../src/server/runs/rules/run-pace.ts';

function given() {
  let time = Date.UTC(2026, 10, 23, 8);
  const pace = createRunPace(() => time);
  const call = (status: number | null = 204, method = 'PUT') =>
    pace.hear({
      type: 'call',
      action: 'renameHost',
      method,
      path: '/',
      status,
      ms: 5,
      attempt: 1,
      waitedMs: 0,
    });
  const wait = (seconds: number) => {
    time += seconds * 1_000;
  };
  return { pace, call, wait };
}

const renames: ActionPace = {
  action: 'rename',
  name: 'renameHost',
  waiting: 7,
  allowed: 12.345,
  limit: null,
  bound: { kind: 'pace' },
};

describe('the pace of a run', () => {
  it('counts calls per second since the first one, and only those that change the fleet', () => {
    const { pace, call, wait } = given();
    expect(pace.report()).toMatchObject({ rate: 0, limit: null, curve: { rate: [] } });
    wait(60);
    call(200, 'GET');
    for (let each = 0; each < 8; each += 1) call();
    expect(pace.report().rate).toBe(8);
    wait(4);
    expect(pace.report().rate).toBe(2);
    for (let each = 0; each < 8; each += 1) call();
    call(429);
    wait(8);
    expect(pace.report()).toMatchObject({ rate: 0.8, rate_limited: 1 });
    expect(pace.isChanging()).toBe(true);
    wait(3);
    expect(pace.report().rate).toBe(0);
    expect(pace.isChanging()).toBe(false);
  });

  it('draws the whole run with a bounded number of values', () => {
    const { pace, call, wait } = given();
    for (let second = 0; second < 3_600; second += 1) {
      call();
      call();
      wait(1);
    }
    const { curve } = pace.report();
    expect(curve.rate.length * curve.bucket_seconds).toBeGreaterThanOrEqual(3_600 - curve.bucket_seconds);
    expect(curve.rate.length).toBeLessThanOrEqual(120);
    expect(new Set(curve.rate)).toEqual(new Set([2]));
    wait(36_000);
    expect(pace.report().curve.rate.length).toBeLessThanOrEqual(120);
  });

  it('reports the limit of the service, and what delays the waiting calls', () => {
    const { pace } = given();
    const until = Date.UTC(2026, 10, 23, 9);
    let paces: readonly ActionPace[] = [renames];
    pace.watch(() => paces);
    expect(pace.report()).toMatchObject({
      limit: null,
      bound: { action: 'rename', kind: 'pace', allowed: 12.3 },
    });
    paces = [
      { ...renames, limit: 4.987, waiting: 1 },
      { ...renames, action: 'move', name: 'moveHosts', limit: 0.0166, bound: { kind: 'refusal', until } },
    ];
    expect(pace.report()).toMatchObject({
      limit: 0.017,
      bound: { action: 'move', kind: 'refusal', until: '2026-11-23T09:00:00.000Z' },
    });
    expect(pace.of('rename')?.limit).toBe(4.987);
    paces = [{ ...renames, limit: 4.987, waiting: 0 }];
    expect(pace.report()).toMatchObject({ limit: 5 });
    expect(pace.report().bound).toBeUndefined();
    expect(pace.secondsFor(10)).toBeCloseTo(2, 1);
  });

  it('lists repeated calls and waiting reads until they end', () => {
    const { pace, call, wait } = given();
    pace.watch(() => [renames]);
    pace.hear({ type: 'retry', action: 'renameHost', code: 'timed-out', ms: 4_000 });
    pace.hear({ type: 'waiting', action: 'moveHosts', ms: 9_000 });
    pace.hear({ type: 'waiting', action: 'renameHost', ms: 9_000 });
    expect(pace.waits()).toEqual([
      {
        step: '',
        title: 'A rename',
        for: 'the service, which failed (timed-out)',
        why: 'back-off',
        until: '2026-11-23T08:00:04.000Z',
        steps: 1,
      },
      {
        step: '',
        title: 'A move',
        for: 'the rate limit of the service',
        why: 'back-off',
        until: '2026-11-23T08:00:09.000Z',
        steps: 1,
      },
    ]);
    call();
    expect(pace.waits().map(({ title }) => title)).toEqual(['A move']);
    wait(10);
    expect(pace.waits()).toEqual([]);
  });
});
