const waiting: (() => void)[] = [];

/**
 * Resolves in a turn of the event loop that no other caller shares. A check plans for a millisecond or more without a pause.
 * Several checks that get their lists, or one answer of the database, at the same time would plan one after the other, and
 * requests of the API would wait for all of them.
 */
export function ownTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(next);
  });
}

function next(): void {
  const resolve = waiting.shift();
  if (waiting.length > 0) setImmediate(next);
  resolve?.();
}
