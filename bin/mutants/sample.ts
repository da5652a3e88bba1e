import { createHash } from 'node:crypto';
import { describeMutant, type Mutant } from './mutant.ts';

/** So many of them, in their order: the same for the same seed. */
export function sampleOf(mutants: readonly Mutant[], size: number, seed: string): readonly Mutant[] {
  if (size >= mutants.length) return mutants;
  const ranked = mutants.map((mutant, index) => ({
    index,
    mutant,
    rank: hash(`${seed} ${index} ${mutant.file}`),
  }));
  const drawn = ranked.toSorted((a, b) => (a.rank < b.rank ? -1 : 1)).slice(0, size);
  return drawn.toSorted((a, b) => a.index - b.index).map(({ mutant }) => mutant);
}

/** Another for other sources, so that in time all of them are drawn. */
export function seedOf(mutants: readonly Mutant[]): string {
  return hash(mutants.map((each) => each.file + describeMutant(each)).join('\n')).slice(0, 8);
}

/** If the tests noticed this share of all mutants, would so low a sample come less than once in 1,000 times? */
export function isSurelyBelow(
  share: number,
  { noticed, tried }: { readonly noticed: number; readonly tried: number },
): boolean {
  let logChance = tried * Math.log(1 - share);
  let atMost = Math.exp(logChance);
  for (let count = 1; count <= noticed; count += 1) {
    logChance += Math.log(((tried - count + 1) / count) * (share / (1 - share)));
    atMost += Math.exp(logChance);
  }
  return atMost < 0.001;
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
