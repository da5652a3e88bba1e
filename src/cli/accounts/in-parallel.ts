import { getHeapStatistics } from 'node:v8';

/** Above this share of the heap, work that is running ends before more of it starts. */
const fullHeap = 0.6;

/**
 * Works on items side by side, at most `most` at a time and fewer if memory is scarce. The results are in the order of
 * the items. `work` must not reject.
 */
export async function inParallel<T, R>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<R>,
  isFull: () => boolean = isHeapFull,
): Promise<readonly R[]> {
  const results: R[] = [];
  const running = new Set<Promise<void>>();
  for (const [index, item] of items.entries()) {
    while (running.size >= most || (running.size > 0 && isFull())) await Promise.race(running);
    const one = work(item).then((result) => {
      results[index] = result;
      running.delete(one);
    });
    running.add(one);
  }
  await Promise.all(running);
  return results;
}

function isHeapFull(): boolean {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  return used > limit * fullHeap;
}
