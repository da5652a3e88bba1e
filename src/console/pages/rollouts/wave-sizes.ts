import { endsOfShares } from '../../../core/lib/ends-of-shares.ts';

/** How the accounts after the first wave are divided, in percent of them. */
export const divisions = [
  { value: '10,50,100', text: '10%, half, all' },
  { value: '50,100', text: 'half, all' },
  { value: '100', text: 'all at once' },
] as const;
type Division = (typeof divisions)[number]['value'];

export interface PlannedWave {
  readonly name: string;
  readonly accounts: number;
}

export function sharesOf(division: Division): readonly number[] {
  return division.split(',').map(Number);
}

/** The waves as the server divides the accounts: the canaries first, then each share, rounded up. */
export function wavesOf(accounts: number, canaries: number, division: Division): readonly PlannedWave[] {
  const shares = sharesOf(division);
  const ends = endsOfShares(shares, accounts - canaries);
  return [
    { name: 'canary', accounts: canaries },
    ...ends.map((end, at) => ({ name: `${shares[at]}%`, accounts: end - (ends[at - 1] ?? 0) })),
  ].filter((wave) => wave.accounts > 0);
}
