import { describe, expect, it } from 'vitest';
import { startGroupCommit } from '../../../../src/run/state/journal/group-commit.ts';

/** Each write waits until it is let go. */
function given() {
  const writes: [readonly string[], boolean][] = [];
  const waiting: PromiseWithResolvers<void>[] = [];
  const log = startGroupCommit<string>(async (entries, durable) => {
    writes.push([entries, durable]);
    const gate = Promise.withResolvers<void>();
    waiting.push(gate);
    await gate.promise;
  });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return {
    log,
    writes,
    turn,
    async settle(error?: Error) {
      const gate = waiting.shift();
      if (error === undefined) gate?.resolve();
      else gate?.reject(error);
      await turn();
    },
  };
}

describe('writes that are grouped', () => {
  it('contain all waiting writes in order, and whether one of them must be durable', async () => {
    const { log, writes, settle, turn } = given();
    const first = log.append('a');
    await turn();
    const others = [log.append('b'), log.commit('c'), log.append('d')];
    await turn();
    expect(writes).toEqual([[['a'], false]]);
    await settle();
    await first;
    expect(writes).toEqual([
      [['a'], false],
      [['b', 'c', 'd'], true],
    ]);
    await settle();
    await Promise.all(others);
  });

  it('fail permanently after the first failure, and write no more', async () => {
    const { log, writes, settle, turn } = given();
    const first = log.commit('a');
    await turn();
    const second = log.append('b');
    await Promise.all([
      expect(first).rejects.toThrow('full'),
      expect(second).rejects.toThrow('full'),
      settle(new Error('full')),
    ]);
    await expect(log.commit('c')).rejects.toThrow('full');
    expect(writes).toHaveLength(1);
    await log.idle();
  });
});
