import { kindTitles } from '../change-words.ts';
import { shortText } from '../name-text.ts';
import type { ShownName } from '../page-data.ts';
import type { Entry } from './filter.ts';

export type Direction = 'ascending' | 'descending';
export type Groups = Readonly<Record<string, ShownName>>;

export interface Sorting {
  readonly key: string;
  readonly direction: Direction;
}

/** Numbers in names count as numbers: PC-2 comes before PC-10. Equal rows keep the order of the plan. */
export function sorted(
  entries: readonly Entry[],
  { key, direction }: Sorting,
  groups: Groups,
): readonly Entry[] {
  const sign = direction === 'ascending' ? 1 : -1;
  if (key === 'id') return entries.toSorted((a, b) => sign * compareIds(a.change.id, b.change.id));
  const keyed = entries.map((entry) => ({ entry, text: sortText(entry, key, groups) }));
  keyed.sort((a, b) => sign * collator.compare(a.text, b.text));
  return keyed.map(({ entry }) => entry);
}

const collator = new Intl.Collator('en', { numeric: true });

function sortText({ change }: Entry, key: string, groups: Groups): string {
  const { kind, name, to, group, target, remarks, problems, order, file, line, rule } = change;
  switch (key) {
    case 'kind':
      return kindTitles[kind];
    case 'host':
      return shortText(name);
    case 'group':
      return shortText(groups[group] ?? null);
    case 'change':
      return shortText(to ?? groups[target ?? ''] ?? '');
    case 'remark':
      return [...remarks, order ?? '', problems.length].join(' ');
    default:
      return `${file}:${line} ${rule ?? ''}`;
  }
}

/** Decimal ids of any length, with or without a minus sign. */
function compareIds(a: string, b: string): number {
  const [left, right] = [BigInt(a), BigInt(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}
