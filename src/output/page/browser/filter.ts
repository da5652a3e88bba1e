import { wholeText } from '../name-text.ts';
import type { Change, PageData } from '../page-data.ts';

/** The reader's filter; an empty text or set matches everything. */
export interface Filter {
  readonly query: string;
  readonly kinds: ReadonlySet<string>;
  readonly group: string;
  readonly remark: string;
  /** A problem code, or `*` for any. */
  readonly problem: string;
}

/** A change with its searchable text, made once. */
export interface Entry {
  readonly change: Change;
  readonly text: string;
}

export function toEntries({ changes, groups }: PageData): readonly Entry[] {
  return changes.map((change) => {
    const { id, name, to = null, group, target = '', order = '', file, line, rule = '' } = change;
    const words = [
      wholeText(name),
      wholeText(to),
      id,
      wholeText(groups[group] ?? null),
      wholeText(groups[target] ?? null),
      order,
      `${file}:${line}`,
      rule,
    ];
    return { change, text: words.join('\n').toLowerCase() };
  });
}

/** The changes that match the filter. Each word of the query may be anywhere in the change. */
export function matching(
  entries: readonly Entry[],
  filter: Filter,
  problems: readonly string[],
): readonly Entry[] {
  const words = filter.query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return entries.filter(
    ({ change, text }) =>
      words.every((word) => text.includes(word)) &&
      isOfKind(change, filter) &&
      hasProblem(change, filter, problems),
  );
}

function isOfKind(change: Change, { kinds, group, remark }: Filter): boolean {
  return (
    (kinds.size === 0 || kinds.has(change.kind)) &&
    (group === '' || change.group === group || change.target === group) &&
    (remark === '' || change.remarks.some((each) => each === remark))
  );
}

function hasProblem({ problems }: Change, { problem }: Filter, codes: readonly string[]): boolean {
  if (problem === '') return true;
  return problem === '*' ? problems.length > 0 : problems.some((each) => codes[each] === problem);
}
