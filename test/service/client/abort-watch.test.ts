import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { createAbortWatch } from '../../../src/service/client/abort-watch.ts';

function watched() {
  const aborted: (readonly string[])[] = [];
  return { aborted, watch: createAbortWatch<string>((items) => aborted.push(items)) };
}

it('notifies each waiter of the signal once, and nobody else', () => {
  const { aborted, watch } = watched();
  const [first, second] = [new AbortController(), new AbortController()];
  watch.add(first.signal, 'a');
  watch.add(second.signal, 'b');
  watch.add(first.signal, 'c');
  watch.add(first.signal, 'd');
  watch.remove(first.signal, 'c');
  first.abort();
  expect(aborted).toEqual([['a', 'd']]);
});

it('listens once to a signal, for as long as somebody waits on it', () => {
  const { watch } = watched();
  const { signal } = new AbortController();
  const listeners = () => getEventListeners(signal, 'abort').length;
  watch.add(signal, 'a');
  watch.add(signal, 'b');
  expect(listeners()).toBe(1);
  watch.remove(signal, 'a');
  watch.remove(signal, 'a');
  expect(listeners()).toBe(1);
  watch.remove(signal, 'b');
  expect(listeners()).toBe(0);
  watch.add(signal, 'c');
  expect(listeners()).toBe(1);
});
