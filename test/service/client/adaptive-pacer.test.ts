import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Limiter, tokenBucket } from '../../../bench/pacer/limiter.ts';
import { createVirtualClock } from '../../../src/core/lib/virtual-clock.ts';
import {
  type AdaptivePacerOptions,
  createAdaptivePacer,
} from '../../../src/service/client/adaptive-pacer.ts';
import type { AcquireOptions, Permit, Turn } from '../../../src/service/client/pacer.ts';

const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

function start(options: Omit<AdaptivePacerOptions, 'clock' | 'onWait'> = {}) {
  const clock = createVirtualClock();
  const waits: number[] = [];
  const pacer = createAdaptivePacer({ ...options, clock, onWait: (ms) => waits.push(ms) });
  /** The turn, and the time at which it came. */
  function ask(acquireOptions?: AcquireOptions): { turn?: Turn; at?: number } {
    const asked: { turn?: Turn; at?: number } = {};
    void pacer.acquire(acquireOptions).then((turn) => Object.assign(asked, { turn, at: clock.now() }));
    return asked;
  }
  async function go(acquireOptions?: AcquireOptions): Promise<Permit> {
    const turn = await pacer.acquire(acquireOptions);
    if (turn.kind !== 'go') throw new Error(`not a permit but ${turn.kind}`);
    return turn.permit;
  }
  return { clock, waits, pacer, ask, go };
}

/** Makes `calls` calls at once; a refused one is tried again until it succeeds. */
async function callAll(
  { clock, go }: Pick<ReturnType<typeof start>, 'clock' | 'go'>,
  given: { readonly calls: number; readonly limiter: Limiter; readonly hint?: (now: number) => number },
): Promise<{ readonly sentAt: readonly number[]; readonly refused: number }> {
  const sentAt: number[] = [];
  let refused = 0;
  async function call(): Promise<void> {
    for (let again = false; ; again = true) {
      const permit = await go({ again });
      sentAt.push(clock.now());
      await clock.sleep(50);
      const taken = given.limiter.take(clock.now());
      await clock.sleep(50);
      if (taken) return permit.accepted();
      refused += 1;
      permit.refused(given.hint?.(clock.now()));
    }
  }
  const all = Promise.all(Array.from({ length: given.calls }, call));
  await clock.runUntilIdle();
  await all;
  return { sentAt, refused };
}

describe('turns', () => {
  it('the first call is sent at once, the next a tenth of a second later', async () => {
    const { clock, ask } = start();
    const asked = [ask(), ask(), ask()];
    await clock.runUntilIdle();
    expect(asked.map(({ at }) => at)).toEqual([0, 100, 200]);
  });

  it('go to a refused call first, then to the highest priority, and then in the order of requests', async () => {
    const { clock, go, pacer } = start();
    const order: string[] = [];
    const note = (name: string) => (turn: Turn) => {
      order.push(name);
      if (turn.kind === 'go') turn.permit.accepted();
    };
    const first = await go();
    for (const name of ['second', 'third']) void pacer.acquire().then(note(name));
    void pacer.acquire({ priority: 2 }).then(note('urgent'));
    first.refused();
    void pacer.acquire({ again: true }).then(note('first again'));
    await clock.runUntilIdle();
    expect(order).toEqual(['first again', 'urgent', 'second', 'third']);
  });

  it('a permit counts once, however often it is settled', async () => {
    const { clock, go, ask } = start();
    const permit = await go();
    permit.accepted();
    permit.refused(60_000);
    permit.dropped();
    const next = ask();
    await clock.runUntilIdle();
    expect(next.at).toBe(100);
  });

  it("are handed out a millisecond at a time if they are closer than a timer's resolution", async () => {
    const { clock, pacer } = start({ initialRate: 5000 });
    const sentAt: number[] = [];
    for (let i = 0; i < 300; i++) {
      void pacer.acquire().then((turn) => {
        sentAt.push(clock.now());
        if (turn.kind === 'go') void clock.sleep(1).then(() => turn.permit.dropped());
      });
    }
    await clock.runUntilIdle();
    const most = Math.max(...sentAt.map((at) => sentAt.filter((other) => other === at).length));
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(6);
  });
});

describe('a wait that the service requests', () => {
  it('is exact to the millisecond, for all calls, and reported once', async () => {
    const { clock, waits, go, ask } = start();
    const permit = await go();
    const early = ask();
    permit.refused(42_000);
    const again = ask({ again: true });
    await clock.advance(41_999);
    expect([early.turn, again.turn]).toEqual([undefined, undefined]);
    await clock.advance(1);
    expect(again.at).toBe(42_000);
    expect(early.turn).toBeUndefined();
    expect(waits).toEqual([42_000]);
  });

  it('a shorter one does not end a longer one', async () => {
    const { clock, go, ask } = start();
    const first = await go();
    const second = go();
    await clock.advance(100);
    first.refused(30_000);
    (await second).refused(1000);
    const next = ask();
    await clock.runUntilIdle();
    expect(next.at).toBe(30_100);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -5])('a wait of %d is no wait', async (wait) => {
    const { clock, go, ask } = start();
    (await go()).refused(wait);
    const next = ask();
    await clock.runUntilIdle();
    expect(next.turn?.kind).toBe('go');
    expect(next.at).toBeLessThan(2000);
  });
});

describe('patience', () => {
  it('does not end while a queue moves', async () => {
    const given = start();
    const { clock, pacer } = given;
    const turns: Turn[] = [];
    for (let i = 0; i < 500; i++) {
      void pacer.acquire({ maxWaitMs: 3000 }).then(async (turn) => {
        turns.push(turn);
        await clock.sleep(1000);
        if (turn.kind === 'go') turn.permit.accepted();
      });
    }
    await clock.advance(4000);
    const impatient = given.ask({ maxWaitMs: 0 });
    await clock.runUntilIdle();
    expect(impatient.turn?.kind).toBe('too-late');
    expect(turns.filter(({ kind }) => kind === 'go')).toHaveLength(500);
    expect(clock.now()).toBeGreaterThan(4000);
  });

  it('ends when nothing is accepted for that long, even if the service specifies no time', async () => {
    const { clock, pacer, go } = start();
    (await go()).accepted();
    async function call(): Promise<string> {
      for (let again = false; ; again = true) {
        const turn = await pacer.acquire({ again, maxWaitMs: 60_000 - clock.now() });
        if (turn.kind !== 'go') return turn.kind;
        await clock.sleep(10);
        turn.permit.refused();
      }
    }
    const ended = call();
    await clock.runUntilIdle();
    expect(await ended).toBe('too-late');
    expect(clock.now()).toBeLessThanOrEqual(60_000);
  });
});

describe('giving up', () => {
  it('a signal that was aborted earlier is answered at once', async () => {
    const { pacer, clock } = start();
    expect(await pacer.acquire({ signal: AbortSignal.abort() })).toEqual({ kind: 'aborted' });
    expect(clock.sleepers).toBe(0);
  });

  it('leaves the queue at once, and neither a timer nor a listener behind', async () => {
    const { clock, go, ask } = start();
    await go();
    const stop = new AbortController();
    const { signal } = stop;
    const left = Array.from({ length: 50 }, () => ask({ signal }));
    expect(listeners(signal)).toBe(1);
    expect(clock.sleepers).toBe(1);
    stop.abort();
    await clock.advance(0);
    expect(left.every(({ turn }) => turn?.kind === 'aborted')).toBe(true);
    expect(listeners(signal)).toBe(0);
    expect(clock.sleepers).toBe(0);
  });

  it('a finished wait removes its listener', async () => {
    const { go } = start();
    const { signal } = new AbortController();
    (await go({ signal })).accepted();
    expect(listeners(signal)).toBe(0);
  });

  it('those behind it move up', async () => {
    const { clock, go, ask } = start();
    await go();
    const stop = new AbortController();
    const gone = ask({ signal: stop.signal });
    const stays = ask();
    stop.abort();
    await clock.runUntilIdle();
    expect(gone.turn?.kind).toBe('aborted');
    expect(stays.at).toBe(100);
  });
});

describe('many concurrent calls', () => {
  it('of 2,000 calls at 50 a second all get through, evenly, with nothing left behind', async () => {
    const given = start();
    const { sentAt, refused } = await callAll(given, { calls: 2000, limiter: tokenBucket(10, () => 50) });
    expect((sentAt.at(-1) ?? 0) / 1000).toBeLessThan(2000 / 50 / 0.9);
    expect(refused / sentAt.length).toBeLessThan(0.02);
    expect(given.clock.sleepers).toBe(0);
    expect(given.pacer.rate).toBeGreaterThan(40);
  });

  it('loses little to a service that requests whole seconds of silence each time', async () => {
    const limiter = tokenBucket(10, () => 50);
    const { sentAt, refused } = await callAll(start(), { calls: 5000, limiter, hint: () => 1000 });
    expect((sentAt.at(-1) ?? 0) / 1000).toBeLessThan(5000 / 50 / 0.85);
    expect(refused / sentAt.length).toBeLessThan(0.01);
  });

  it('has the same outcome each time', async () => {
    const run = async () =>
      (await callAll(start(), { calls: 300, limiter: tokenBucket(5, () => 20) })).sentAt;
    expect(await run()).toEqual(await run());
  });

  it('for any outcome of its calls, every caller gets a response and no timer is left', async () => {
    const anyCall = fc.record({
      asksAt: fc.integer({ min: 0, max: 3000 }),
      takes: fc.integer({ min: 0, max: 500 }),
      ends: fc.constantFrom('accepted', 'refused', 'asked to wait', 'dropped'),
      abortsAt: fc.option(fc.integer({ min: 0, max: 5000 })),
      maxWaitMs: fc.option(fc.integer({ min: 0, max: 10_000 })),
      again: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(anyCall, { maxLength: 40 }), async (calls) => {
        const { clock, pacer } = start();
        let permitted = 0;
        const answers = calls.map(async ({ asksAt, takes, ends, abortsAt, maxWaitMs, again }) => {
          await clock.sleep(asksAt);
          const stop = new AbortController();
          if (abortsAt !== null) void clock.sleep(abortsAt).then(() => stop.abort());
          const turn = await pacer.acquire({
            again,
            signal: stop.signal,
            ...(maxWaitMs === null ? {} : { maxWaitMs }),
          });
          if (turn.kind !== 'go') return turn.kind;
          permitted += 1;
          await clock.sleep(takes);
          if (ends === 'accepted') turn.permit.accepted();
          else if (ends === 'dropped') turn.permit.dropped();
          else turn.permit.refused(ends === 'refused' ? undefined : 2000);
          return turn.kind;
        });
        await clock.runUntilIdle();
        const kinds = await Promise.all(answers);
        expect(kinds.filter((kind) => kind === 'go')).toHaveLength(permitted);
        expect(kinds).toHaveLength(calls.length);
        expect(clock.sleepers).toBe(0);
      }),
      { numRuns: 60 },
    );
  });
});
