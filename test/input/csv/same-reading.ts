import { expect } from 'vitest';
import type { EntryAttribute } from '../../../src/core/model/entry.ts';
import { readFastTable, readFullTable } from '../../../src/input/csv/fast-table.ts';
import type { PlacedEntries } from '../../../src/input/entries/placed-entries.ts';
import { sourceText } from '../../../src/input/sources/source-text.ts';
import { createProblemList } from '../../../src/input/values/problem-list.ts';

/** Holds the fast reader to the full one's entries, places and words, or to leaving the table to it. Which it did. */
export function readBothWays(text: string): 'fast' | 'full' {
  const source = sourceText('t.csv', text);
  const problems = { fast: createProblemList(), full: createProblemList() };
  const fast = readFastTable(source, problems.fast, 7);
  if (fast === undefined) {
    expect(problems.fast.all()).toEqual([]);
    return 'full';
  }
  const full = readFullTable(source, problems.full, 7);
  expect({ text, problems: problems.fast.all() }).toEqual({ text, problems: problems.full.all() });
  expect({ text, shown: shown(fast) }).toStrictEqual({ text, shown: shown(full) });
  return 'fast';
}

const attributes: Readonly<Record<Exclude<EntryAttribute, 'protect' | 'ignore'>, true>> = {
  id: true,
  name: true,
  key: true,
  current: true,
  previously: true,
  group: true,
  antivirus: true,
  ensure: true,
  deleteAfter: true,
};

function shown(placed: PlacedEntries) {
  const asked = [undefined, ...(Object.keys(attributes) as (keyof typeof attributes)[])];
  const hashes = [placed.idHashes(), placed.nameHashes()];
  const entries = Array.from({ length: placed.count }, (_, index) => ({
    entry: placed.at(index),
    told: [placed.idAt(index), placed.nameAt(index), placed.groupAt(index)],
    places: asked.map((attribute) => placed.placeOf(index, attribute)),
    spots: asked.map((attribute) => {
      const { file, line, col } = placed.positionOf(index, attribute);
      return { file, line, col };
    }),
  }));
  const ids = entries.map(({ told: [id] }) => id).filter((id) => id !== undefined);
  if (placed.hasIdsInOrder()) expect(new Set(ids).size).toBe(ids.length);
  return { hashes, entries };
}
