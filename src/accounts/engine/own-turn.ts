/** The least time between two turns while someone waits for an answer, in milliseconds. */
const heldMs = 5;

const waiting: (() => void)[] = [];
let holders = 0;

/**
 * Resolves in a turn of the event loop that no other caller shares. A check plans for a millisecond or more without a
 * pause. If several checks get their lists, or one response of the database, at the same time, they would plan one
 * after the other, and requests of the API would wait for all of them.
 */
export function ownTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) plan();
  });
}

/**
 * Turns are rare until the returned function is called, because someone waits for a response, which also needs the
 * processor of the database. They never stop, so nobody can delay checks forever with requests.
 */
export function holdTurns(): () => void {
  holders += 1;
  let isHeld = true;
  return () => {
    if (isHeld) holders -= 1;
    isHeld = false;
  };
}

function plan(): void {
  if (holders > 0) setTimeout(next, heldMs);
  else setImmediate(next);
}

function next(): void {
  const resolve = waiting.shift();
  if (waiting.length > 0) plan();
  resolve?.();
}
