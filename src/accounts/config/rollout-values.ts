import type { Limit } from '../../core/model/policy.ts';

/** `['10%', '50%', '100%']`; undefined if they do not increase up to 100. */
export function parseShares(texts: readonly string[]): readonly number[] | undefined {
  const shares = texts.map((text) =>
    /^\d{1,3}(?:\.\d{1,4})?%$/.test(text) ? Number(text.slice(0, -1)) : Number.NaN,
  );
  const increase = shares.every((share, at) => share > (shares[at - 1] ?? 0));
  return increase && shares.at(-1) === 100 ? shares : undefined;
}

/** `2%` or `3`. */
export function parseMaxFailed(text: string): Limit | undefined {
  const match = /^(\d{1,9}(?:\.\d{1,4})?)(%?)$/.exec(text);
  const value = Number(match?.[1]);
  if (match === null) return undefined;
  if (match[2] === '%') return value <= 100 ? { kind: 'share', percent: value } : undefined;
  return Number.isInteger(value) ? { kind: 'count', count: value } : undefined;
}
