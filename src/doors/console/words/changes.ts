import type { Counts } from '../../api/accounts.ts';
import { counted } from './numbers.ts';

const nouns: Readonly<Record<keyof Counts, readonly [string, string]>> = {
  rename: ['rename', 'renames'],
  move: ['move', 'moves'],
  delete: ['deletion', 'deletions'],
  install: ['installation', 'installations'],
  refresh: ['refresh', 'refreshes'],
};

/** `12 renames, 3 deletions`. */
export function changesText(counts: Counts, locale?: string): string {
  const parts = (Object.keys(nouns) as (keyof Counts)[])
    .filter((kind) => counts[kind] > 0)
    .map((kind) => counted(counts[kind], nouns[kind][0], nouns[kind][1], locale));
  return parts.length === 0 ? 'no changes' : parts.join(', ');
}
