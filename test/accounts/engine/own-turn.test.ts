import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { holdTurns, ownTurn } from '../../../src/accounts/engine/own-turn.ts';

/** Lets this many timers fire. Other tests of this process may have left some that never end. */
async function fire(timers: number): Promise<void> {
  for (let fired = 0; fired < timers; fired += 1) await vi.advanceTimersToNextTimerAsync();
}

describe('the turns in which checks plan', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('run one after the other, and let all other work run between them', async () => {
    const seen: string[] = [];
    const between = (left: number) => {
      seen.push('request');
      if (left > 1) setImmediate(() => between(left - 1));
    };
    const turns = ['a', 'b', 'c'].map(async (name) => {
      await ownTurn();
      seen.push(name);
    });
    setImmediate(() => between(3));
    await fire(20);
    await Promise.all(turns);
    expect(seen).toEqual(['a', 'request', 'b', 'request', 'c', 'request']);
    const again = ownTurn();
    await fire(5);
    await again;
  });

  it('are rare while someone waits for a response, but never stop', async () => {
    const seen: string[] = [];
    const release = holdTurns();
    const other = holdTurns();
    for (const name of ['a', 'b', 'c', 'd']) void ownTurn().then(() => seen.push(name));
    await vi.advanceTimersByTimeAsync(4);
    expect(seen).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(seen).toEqual(['a']);
    release();
    release();
    await vi.advanceTimersByTimeAsync(9);
    expect(seen).toEqual(['a', 'b']);
    other();
    await vi.advanceTimersByTimeAsync(2);
    expect(seen).toEqual(['a', 'b', 'c', 'd']);
  });
});
