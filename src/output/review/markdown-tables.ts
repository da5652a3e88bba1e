import { markdownCode } from '../../core/lib/printable.ts';
import type { PendingInstall } from '../../core/plan/types/plan.ts';
import { blockOf, type MarkdownBlock } from './markdown-section.ts';
import { requestWords } from './pending-words.ts';

export function pendingTable(installs: readonly PendingInstall[]): MarkdownBlock {
  return table(installs, [
    { title: 'host', cell: ({ name }) => nameOrDash(name) },
    { title: 'id', cell: ({ hostId }) => hostId },
    { title: 'request', cell: requestWords },
  ]);
}

export function nameOrDash(name: string | null): string {
  if (name === null) return '(no name)';
  return name === '' ? '(empty name)' : markdownCode(name);
}

export interface MarkdownColumn<T> {
  readonly title: string;
  readonly cell: (item: T) => string;
}

/** Leaves out a column that is empty in every row. */
export function unlessEmpty<T>(items: readonly T[], column: MarkdownColumn<T>): readonly MarkdownColumn<T>[] {
  return items.some((item) => column.cell(item) !== '') ? [column] : [];
}

export function table<T>(items: readonly T[], columns: readonly MarkdownColumn<T>[]): MarkdownBlock {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return blockOf(items, {
    open: `${line(columns.map(({ title }) => title))}\n${line(columns.map(() => '---'))}`,
    row: (item) => line(columns.map(({ cell }) => cell(item))),
  });
}
