import { createHash } from 'node:crypto';
import { describeMutant, type Mutant } from './mutant.ts';

/** So many of them, in their order: the same for the same seed. */
export function sampleOf<Item>(
  items: readonly Item[],
  size: number,
  seed: string,
  nameOf: (item: Item) => string,
): readonly Item[] {
  if (size >= items.length) return items;
  const ranked = items.map((item, index) => ({
    index,
    item,
    rank: hash(`${seed} ${index} ${nameOf(item)}`),
  }));
  const drawn = ranked.toSorted((a, b) => (a.rank < b.rank ? -1 : 1)).slice(0, size);
  return drawn.toSorted((a, b) => a.index - b.index).map(({ item }) => item);
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
