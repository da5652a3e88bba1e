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
  it('is reported once for each turn, where it takes a second or more', async () => {
    const { clock, waits, pacer, go } = given(1);
    await go();
    const turns = [pacer.acquire(), pacer.acquire()];
    expect(waits).toEqual([1000]);
    await clock.advance(1000);
    expect(waits).toEqual([1000, 1000]);
    await clock.advance(1000);
    expect(await kinds(turns)).toEqual(['go', 'go']);
  });
  it('is not reported where it is shorter', async () => {
    const { clock, waits, pacer, go } = given(2);
    await go();
    const turn = pacer.acquire();
    await clock.advance(500);
    expect([waits, (await turn).kind]).toEqual([[], 'go']);
  });
  it('is reported again after a time without waits', async () => {
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
  it('lasts as long as was asked, to the millisecond', async () => {
    const { clock, pacer, go } = given(1);
    await go();
    const turns = [pacer.acquire({ maxWaitMs: 1000 }), pacer.acquire({ maxWaitMs: 999 })];
    expect(await turns[1]).toEqual({ kind: 'too-late', waitMs: 1000 });
    await clock.advance(1000);
    expect(await kinds(turns)).toEqual(['go', 'too-late']);
  });
  it('ends for those alone whose it is, when a refusal puts the turn off', async () => {
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
  it('leaves no alarm behind where nobody waits any more', async () => {
    const { clock, pacer, go } = given(1);
    await go();
    const leave = new AbortController();
    const turn = pacer.acquire({ signal: leave.signal });
    expect(clock.sleepers).toBe(1);
    leave.abort();
    expect((await turn).kind).toBe('aborted');
    await clock.advance(0);
    expect(clock.sleepers).toBe(0);
  });
  it('needs one alarm alone, however many wait', async () => {
    const { clock, pacer, go } = given(1);
    await go();
    const turns = [1, 2, 3].map(() => pacer.acquire());
    expect(clock.sleepers).toBe(1);
    await clock.advance(3000);
    expect(await kinds(turns)).toEqual(['go', 'go', 'go']);
    expect(clock.sleepers).toBe(0);
  });
});
