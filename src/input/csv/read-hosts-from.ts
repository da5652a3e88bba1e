import type { Place } from '../../core/problem/problem.ts';
import { joinEntries, type PlacedEntries } from '../entries/placed-entries.ts';
import type { OpenTable } from '../sources/open-table.ts';
import type { Member, YamlNode } from '../sources/source-text.ts';
import { readText } from '../values/read-text.ts';
import { type Reading, report, valueSpan } from '../values/reading.ts';
import { readTable } from './read-table.ts';

/** The tables that all files name. */
export interface NamedTables {
  readonly open: OpenTable;
  /** The opened tables by name, with the place that refers to each. */
  readonly opened: Map<string, Place>;
}

/** The entries of all tables that `hostsFrom` names, numbered from `firstIndex`. */
export function readHostsFrom(
  reading: Reading,
  hostsFrom: Member,
  firstIndex: number,
  tables: NamedTables,
): PlacedEntries {
  const { value } = hostsFrom;
  const paths: readonly YamlNode[] = value.kind === 'sequence' ? value.items : [value];
  const read: PlacedEntries[] = [];
  let nextIndex = firstIndex;
  for (const node of paths) {
    const at = node === value ? valueSpan(hostsFrom) : node;
    const path = readText(reading, node, 'the path of a table', at);
    if (path === undefined) continue;
    const place = reading.source.placeOf(at);
    const source = tables.open(path, reading.source.file);
    if (!source.ok) {
      for (const each of source.problems) reading.problems.add({ ...each, place });
      continue;
    }
    const earlier = tables.opened.get(source.value.file);
    if (earlier !== undefined) {
      report(reading, at, 'duplicate-key', `the table ${source.value.file} is already listed`, {
        related: [earlier],
        hint: 'list each table once',
      });
      continue;
    }
    tables.opened.set(source.value.file, place);
    const rows = readTable(source.value, reading.problems, nextIndex);
    read.push(rows);
    nextIndex += rows.count;
  }
  return joinEntries(read);
}
