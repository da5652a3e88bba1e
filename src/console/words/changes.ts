import type { Counts } from '../../api/accounts.ts';
import { changeWords, shownChangeKinds } from '../../output/components/change-words.ts';
import { counted } from '../../output/components/numbers.ts';

/** `3 deletions, 12 renames`: what can't be undone is first. */
export function changesText(counts: Counts, locale?: string): string {
  const parts = shownChangeKinds
    .filter((kind) => counts[kind] > 0)
    .map((kind) => counted(counts[kind], changeWords[kind].noun, changeWords[kind].nouns, locale));
  return parts.length === 0 ? 'no changes' : parts.join(', ');
}
