import { markdownCode } from '../../core/lib/markdown-escape.ts';
import type { PendingInstall } from '../../core/plan/types/plan.ts';
import type { Reason } from '../../core/plan/types/step.ts';
import { type Block, blockOf } from './markdown-section.ts';
import { requestWords } from './pending-words.ts';
import { orderedRenames, orderWords } from './rename-order.ts';
import type { RenameComponent } from './rename-rows.ts';
import { renameRemark } from './rename-words.ts';
import type { HostRow } from './rows.ts';

/** The place in the desired state that requests a change, as Markdown. */
export type PlaceWords = (reason: Reason) => string;

export function hostTable(hosts: readonly HostRow[], place: PlaceWords): Block {
  return table(hosts, [
    { title: 'host', cell: ({ name }) => nameOf(name) },
    { title: 'id', cell: ({ hostId }) => hostId },
    { title: 'requested by', cell: ({ reason }) => place(reason) },
    ...unlessEmpty(hosts, { title: 'remark', cell: onlineRemark }),
  ]);
}

export function pendingTable(installs: readonly PendingInstall[]): Block {
  return table(installs, [
    { title: 'host', cell: ({ name }) => nameOf(name) },
    { title: 'id', cell: ({ hostId }) => hostId },
    { title: 'request', cell: requestWords },
  ]);
}

function onlineRemark({ hazards }: HostRow): string {
  return hazards.includes('online') ? 'online now' : '';
}

/** Components of several hosts first, each row with its component and its position in it; then the rest. */
export function renameTable(components: readonly RenameComponent[], place: PlaceWords): Block {
  const renames = orderedRenames(components);
  return table(renames, [
    { title: 'old name', cell: ({ row }) => nameOf(row.from) },
    { title: 'new name', cell: ({ row }) => markdownCode(row.to) },
    { title: 'id', cell: ({ row }) => row.hostId },
    { title: 'requested by', cell: ({ row }) => place(row.reason) },
    ...unlessEmpty(renames, { title: 'in order', cell: orderWords }),
    ...unlessEmpty(renames, { title: 'remark', cell: ({ row }) => renameRemark(row) }),
  ]);
}

export function nameOf(name: string | null): string {
  if (name === null) return '(no name)';
  return name === '' ? '(empty name)' : markdownCode(name);
}

export interface MarkdownColumn<T> {
  readonly title: string;
  readonly cell: (item: T) => string;
}

/** Leaves out a column that is empty in every row. */
function unlessEmpty<T>(items: readonly T[], column: MarkdownColumn<T>): readonly MarkdownColumn<T>[] {
  return items.some((item) => column.cell(item) !== '') ? [column] : [];
}

export function table<T>(items: readonly T[], columns: readonly MarkdownColumn<T>[]): Block {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return blockOf(items, {
    open: `${line(columns.map(({ title }) => title))}\n${line(columns.map(() => '---'))}`,
    row: (item) => line(columns.map(({ cell }) => cell(item))),
  });
}
