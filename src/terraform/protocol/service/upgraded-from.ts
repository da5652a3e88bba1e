/** Version by version. Throws if a step is missing. */
export function upgradedFrom<T>(
  stored: T,
  steps: Readonly<Record<number, (old: T) => T>>,
  { from, to }: { readonly from: number; readonly to: number },
): T {
  if (from > to)
    throw new Error(
      `version ${from} was written by a newer provider; this one supports versions up to ${to}`,
    );
  let state = stored;
  for (let version = from; version < to; version += 1) {
    const step = steps[version];
    if (step === undefined) throw new Error(`version ${version} can't be upgraded to ${version + 1}`);
    state = step(state);
  }
  return state;
}
