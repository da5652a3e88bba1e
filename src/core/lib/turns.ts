/** Has each work begin after all earlier ones have ended. */
export function createTurns(): <Value>(work: () => Promise<Value>) => Promise<Value> {
  let latest: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = latest.then(work);
    latest = turn.catch(() => {});
    return turn;
  };
}
