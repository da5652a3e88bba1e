import { areHashesDistinct } from '../../core/columns/are-distinct.ts';
import { type EntryTable, lookalike } from '../../core/model/entry.ts';

/**
 * True if no two entries claim the same thing, judging by hashes of their text. This holds for nearly all files, and is
 * faster than comparing the claims.
 */
export function areSurelyApart(entries: EntryTable): boolean {
  for (let index = 0; index < entries.count; index += 1) {
    if (!entries.isPlainAt(index) && isFoundByName(entries, index)) return false;
  }
  const names = entries.nameHashes();
  if (names.includes(lookalike) || !areHashesDistinct(names)) return false;
  return entries.hasIdsInOrder() || areHashesDistinct(entries.idHashes());
}

/** Is the host found by a name that it may no longer have, or that another entry may give away? */
function isFoundByName(entries: EntryTable, index: number): boolean {
  const { id, ensure, previously } = entries.at(index);
  return id === undefined && (ensure === 'absent' || previously.length > 0);
}
