import { endsOfShares } from '../../core/lib/ends-of-shares.ts';
import { compareNaturally } from '../../core/lib/natural-order.ts';
import type { RolloutHead } from '../../run/state/rollout/rollout-record.ts';

/** An account of a rollout, before it has a wave. */
export interface WaveAccount {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

export interface WaveRules {
  readonly canaries: ReadonlySet<string>;
  /** Percentages of the other accounts, which increase up to 100. */
  readonly shares: readonly number[];
  /** The label that separates failure domains. */
  readonly by?: string;
}

/**
 * Divides accounts into waves: first the canaries, then each share of the others. Their names are `canary`, `10%`, or
 * `10% of eu` with a label, and their accounts are in natural order. With a label, each share takes its
 * part of one value of the label after another, so a wave never has accounts of two failure domains. The result depends
 * on names and labels only, not on the order of the accounts. Waves without accounts are left out.
 */
export function splitIntoWaves(
  accounts: readonly WaveAccount[],
  { canaries, shares, by }: WaveRules,
): RolloutHead['waves'] {
  const sorted = accounts.toSorted((a, b) => compareNaturally(a.name, b.name));
  const domains = [...Map.groupBy(sorted, ({ labels }) => (by === undefined ? '' : (labels[by] ?? '')))]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([value, members]) => ({
      suffix: by === undefined ? '' : value === '' ? ` without ${by}` : ` of ${value}`,
      canaries: members.filter(({ name }) => canaries.has(name)),
      others: members.filter(({ name }) => !canaries.has(name)),
    }))
    .map((domain) => ({ ...domain, ends: endsOfShares(shares, domain.others.length) }));
  const first = domains.map((domain) => ({
    name: `canary${domain.suffix}`,
    is_canary: true,
    accounts: domain.canaries.map(({ name }) => name),
  }));
  const rest = shares.flatMap((share, at) =>
    domains.map(({ suffix, others, ends }) => ({
      name: `${share}%${suffix}`,
      is_canary: false,
      accounts: others.slice(ends[at - 1] ?? 0, ends[at]).map(({ name }) => name),
    })),
  );
  return [...first, ...rest].filter((wave) => wave.accounts.length > 0);
}
