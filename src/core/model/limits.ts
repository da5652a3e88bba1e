/** A limit on the changes of one plan: a number of hosts, or a share of the observed fleet. */
export type Limit =
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'share'; readonly percent: number };

export type LimitName = 'delete' | 'rename' | 'move' | 'antivirus' | 'missing';

export type Limits = Readonly<Record<LimitName, Limit>>;

export const defaultLimits: Limits = {
  delete: { kind: 'share', percent: 10 },
  rename: { kind: 'share', percent: 100 },
  move: { kind: 'share', percent: 100 },
  antivirus: { kind: 'share', percent: 100 },
  missing: { kind: 'share', percent: 20 },
};

/** May all of them be meant? `allowance` is at least one, so without this rule a share would always allow one of one. */
export function allowsAll(limit: Limit, total: number): boolean {
  return limit.kind === 'count' ? limit.count >= total : limit.percent >= 100;
}

/** Checks whether so many hosts are missing from a list, or unreadable in it, that the list itself can't be trusted. */
export function isTooMany(limit: Limit, count: number, total: number): boolean {
  return count > allowance(limit, total) || (count > 0 && count >= total && !allowsAll(limit, total));
}

/** A share is rounded down, but to at least one host; a share of zero hosts is zero. */
export function allowance(limit: Limit, total: number): number {
  if (limit.kind === 'share' && limit.percent === 0) return 0;
  return limit.kind === 'count' ? limit.count : Math.max(1, Math.floor((limit.percent * total) / 100));
}
