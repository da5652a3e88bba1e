import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../src/core/lib/virtual-clock.ts';
import { createAdaptivePacer } from '../../../src/service/client/adaptive-pacer.ts';
import type { Turn } from '../../../src/service/client/pacer.ts';

/** A pacer that starts late in time, so that a time that is taken for a wait shows. */
function given(initialRate: number) {
  const clock = createVirtualClock(1_000_000);
  const waits: number[] = [];
  const pacer = createAdaptivePacer({ clock, initialRate, onWait: (ms) => void waits.push(ms) });
  const go = async () => {
    const turn = await pacer.acquire();
    if (turn.kind !== 'go') throw new Error(turn.kind);
    return turn.permit;
  };
  return { clock, waits, pacer, go };
}
const kinds = (turns: readonly Promise<Turn>[]) => Promise.all(turns.map(async (turn) => (await turn).kind));

describe('a wait for a turn', () => {
  it('is reported once for each turn, if it takes a second or more', async () => {
    const { clock, waits, pacer, go } = given(1);
    await go();
    const turns = [pacer.acquire(), pacer.acquire()];
    expect(waits).toEqual([1000]);
    await clock.advance(1000);
    expect(waits).toEqual([1000, 1000]);
    await clock.advance(1000);
    expect(await kinds(turns)).toEqual(['go', 'go']);
  });
  it('is not reported if it is shorter', async () => {
    const { clock, waits, pacer, go } = given(2);
    await go();
    const turn = pacer.acquire();
    await clock.advance(500);
    expect([waits, (await turn).kind]).toEqual([[], 'go']);
  });
  it('is reported again after a period without waits', async () => {
    const { clock, waits, pacer, go } = given(1);
    await go();
    const first = pacer.acquire();
    await clock.advance(1000);
    await first;
    const second = pacer.acquire();
    await clock.advance(1000);
    await second;
    expect(waits).toEqual([1000, 1000]);
    expect(clock.sleepers).toBe(0);
  });
});

describe('patience', () => {
  it('lasts exactly as long as the caller allows, to the millisecond', async () => {
    const { clock, pacer, go } = given(1);
    await go();
    const turns = [pacer.acquire({ maxWaitMs: 1000 }), pacer.acquire({ maxWaitMs: 999 })];
    expect(await turns[1]).toEqual({ kind: 'too-late', waitMs: 1000 });
    await clock.advance(1000);
    expect(await kinds(turns)).toEqual(['go', 'too-late']);
  });
  it('ends only for the callers whose limit is reached when a refusal delays the turn', async () => {
    const { clock, pacer, go } = given(10);
    const permit = await go();
    const turns = [
      pacer.acquire({ maxWaitMs: 2000 }),
      pacer.acquire({ maxWaitMs: 60_000 }),
      pacer.acquire({ maxWaitMs: 8000 }),
    ];
    permit.refused(10_000);
    expect(await turns[0]).toMatchObject({ kind: 'too-late' });
    expect(await turns[2]).toMatchObject({ kind: 'too-late' });
    await clock.advance(20_000);
    expect((await turns[1])?.kind).toBe('go');
  });
});

describe('a call that waits', () => {
  it('is sent as soon as the pace rises, and leaves at most one timer', async () => {
    const { clock, pacer, go } = given(1);
    await go();
    const second = pacer.acquire();
    await clock.advance(1000);
    const held = await second;
    const third = pacer.acquire();
    await clock.advance(100);
    if (held.kind === 'go') held.permit.accepted();
    expect(clock.sleepers).toBe(1);
    await clock.advance(489);
    expect(clock.sleepers).toBe(0);
    expect((await third).kind).toBe('go');
    expect(clock.now()).toBe(1_001_589);
  });

  it('reports no waiting time and sets no timer while only a response can release a call', async () => {
    const { clock, waits, pacer, go } = given(1000);
    const permits: Awaited<ReturnType<typeof go>>[] = [];
    for (let calls = 0; calls < 16; calls += 1) {
      const permit = go();
      await clock.advance(1);
      permits.push(await permit);
    }
    const waiting = pacer.acquire({ maxWaitMs: 10 });
    expect(clock.sleepers).toBe(0);
    await clock.advance(60_000);
    expect(waits).toEqual([]);
    permits[0]?.dropped();
    expect((await waiting).kind).toBe('go');
  });

  it('leaves no timer behind, and reports no wait, if every caller gives up first', async () => {
    const { clock, waits, pacer, go } = given(1);
    const permit = await go();
    const turns = [pacer.acquire({ maxWaitMs: 5000 }), pacer.acquire({ maxWaitMs: 4000 })];
    waits.length = 0;
    permit.refused(10_000);
    expect(await kinds(turns)).toEqual(['too-late', 'too-late']);
    await clock.advance(0);
    expect(clock.sleepers).toBe(0);
    expect(waits).toEqual([]);
  });

  it('is notified of its waiting time, even if another caller was notified of the same time before it left', async () => {
    const { clock, waits, pacer, go } = given(1);
    (await go()).refused(10_000);
    const leave = new AbortController();
    const first = pacer.acquire({ signal: leave.signal });
    leave.abort();
    await first;
    const second = pacer.acquire();
    expect(waits).toEqual([10_000, 10_000]);
    await clock.advance(10_000);
    expect((await second).kind).toBe('go');
  });
});

describe('patience in a queue', () => {
  it('is measured for each caller separately', async () => {
    const { clock, pacer, go } = given(1);
    const permit = await go();
    const [short, middle, long] = [30_000, 60_000, 300_000].map((maxWaitMs) => pacer.acquire({ maxWaitMs }));
    permit.refused(40_000);
    expect((await short)?.kind).toBe('too-late');
    await clock.advance(40_000);
    const probe = await middle;
    if (probe?.kind === 'go') probe.permit.refused(290_000);
    expect(await long).toMatchObject({ kind: 'too-late', waitMs: 290_000 });
  });

  it('of a late caller begins when the caller arrives', async () => {
    const { clock, pacer, go } = given(1);
    const permit = await go();
    const early = pacer.acquire({ maxWaitMs: 8000 });
    await clock.advance(900);
    const late = pacer.acquire({ maxWaitMs: 8000 });
    permit.refused(7500);
    expect(await early).toMatchObject({ kind: 'too-late', waitMs: 7500 });
    await clock.advance(7500);
    expect((await late).kind).toBe('go');
  });

  it('ends for a later queue after an earlier queue has ended', async () => {
    const { clock, pacer, go } = given(1);
    await go();
    const first = pacer.acquire({ maxWaitMs: 60_000 });
    await clock.advance(1000);
    const held = await first;
    const second = pacer.acquire({ maxWaitMs: 2000 });
    if (held.kind === 'go') held.permit.refused(5000);
    expect((await second).kind).toBe('too-late');
  });
});
