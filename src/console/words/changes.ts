import type { Counts } from '../../api/accounts.ts';
import { counted } from './numbers.ts';

const nouns: Readonly<Record<keyof Counts, readonly [string, string]>> = {
  delete: ['deletion', 'deletions'],
  install: ['anti-virus install', 'anti-virus installs'],
  rename: ['rename', 'renames'],
  move: ['move', 'moves'],
  refresh: ['status refresh', 'status refreshes'],
};

/** `3 deletions, 12 renames`: what can't be undone is first. */
export function changesText(counts: Counts, locale?: string): string {
  const parts = (Object.keys(nouns) as (keyof Counts)[])
    .filter((kind) => counts[kind] > 0)
    .map((kind) => counted(counts[kind], nouns[kind][0], nouns[kind][1], locale));
  return parts.length === 0 ? 'no changes' : parts.join(', ');
}
