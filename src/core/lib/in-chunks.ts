/** In characters. Hashing or writing each small piece by itself would cost more than the work on its text. */
const chunkLength = 65_536;

/** The same text in fewer pieces. */
export function* inChunks(pieces: Iterable<string>): Generator<string> {
  let waiting = '';
  for (const piece of pieces) {
    waiting += piece;
    if (waiting.length < chunkLength) continue;
    yield waiting;
    waiting = '';
  }
  if (waiting !== '') yield waiting;
}

/** The items in order, at most `size` of them at a time. */
export function* inBatches<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}
