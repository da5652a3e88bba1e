import { expect, it } from 'vitest';
import { untilAborted } from '../../../src/core/lib/until-aborted.ts';

const left = () => 'left';

it('has the result of work that ends first', async () => {
  const { signal } = new AbortController();
  expect(await untilAborted(Promise.resolve('done'), signal, left)).toBe('done');
  await expect(untilAborted(Promise.reject(new Error('broken')), signal, left)).rejects.toThrow('broken');
});

it.each(['before', 'during'])(
  'leaves work if the signal is aborted %s it, even if the work fails later',
  async (when) => {
    const controller = new AbortController();
    if (when === 'before') controller.abort();
    const work = Promise.withResolvers<string>();
    const ended = untilAborted(work.promise, controller.signal, left);
    controller.abort();
    expect(await ended).toBe('left');
    work.reject(new Error('nobody waits'));
    // An error that nobody handles would fail this file.
    await new Promise((resolve) => setImmediate(resolve));
  },
);
