import { expect } from 'vitest';
import type { EntryAttribute } from '../../../src/core/model/entry.ts';
import { readAnyTable } from '../../../src/input/csv/read-any-table.ts';
import { readCommonTable } from '../../../src/input/csv/read-common-table.ts';
import type { PlacedEntries } from '../../../src/input/entries/placed-entries.ts';
import { createProblemList } from '../../../src/input/problem-list.ts';
import { sourceText } from '../../../src/input/sources/source-text.ts';

/** Holds the quick reader to the general one's entries, places and words, or to leaving the table to it. Which it did. */
export function readBothWays(text: string): 'common' | 'left' {
  const source = sourceText('t.csv', text);
  const problems = { common: createProblemList(), any: createProblemList() };
  const common = readCommonTable(source, problems.common, 7);
  if (common === undefined) {
    expect(problems.common.all()).toEqual([]);
    return 'left';
  }
  const any = readAnyTable(source, problems.any, 7);
  expect({ text, problems: problems.common.all() }).toEqual({ text, problems: problems.any.all() });
  expect({ text, shown: shown(common) }).toStrictEqual({ text, shown: shown(any) });
  return 'common';
}

const attributes: Readonly<Record<Exclude<EntryAttribute, 'protect' | 'ignore'>, true>> = {
  id: true,
  name: true,
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
      const { file, line, col } = placed.spotOf(index, attribute);
      return { file, line, col };
    }),
  }));
  return { hashes, entries };
}
