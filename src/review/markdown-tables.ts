import { markdownCode } from '../lib/markdown-escape.ts';
import type { Reason } from '../plan/plan.ts';
import type { Block } from './markdown-section.ts';
import { orderedRenames } from './rename-order.ts';
import type { RenameComponent, RenameRow } from './rename-rows.ts';
import { renameRemark } from './rename-words.ts';
import type { HostRow } from './rows.ts';

/** Where the desired state asks for a change, as Markdown. */
export type PlaceWords = (reason: Reason) => string;

export function hostTable(hosts: readonly HostRow[], place: PlaceWords): Block {
  const rows = hosts.map(({ name, hostId, reason, hazards }) => [
    nameOf(name),
    hostId,
    place(reason),
    hazards.includes('online') ? 'online now' : '',
  ]);
  return table(['host', 'id', 'asked for', 'remark'], rows);
}

/** Components of several hosts first, each row with its component and its place in it; then the rest. */
export function renameTable(components: readonly RenameComponent[], place: PlaceWords): Block {
  const rows = orderedRenames(components).map(({ row, order }) => renameCells(row, place, order));
  return table(['old name', 'new name', 'id', 'asked for', 'in order', 'remark'], rows);
}

function renameCells(row: RenameRow, place: PlaceWords, order: string): readonly string[] {
  return [nameOf(row.from), markdownCode(row.to), row.hostId, place(row.reason), order, renameRemark(row)];
}

export function nameOf(name: string | null): string {
  if (name === null) return '(no name)';
  return name === '' ? '(empty name)' : markdownCode(name);
}

/** Columns that are empty in every row are left out. */
function table(titles: readonly string[], rows: readonly (readonly string[])[]): Block {
  const used = titles.map((_, index) => rows.some((row) => row[index] !== ''));
  const line = (cells: readonly string[]) => `| ${cells.filter((_, index) => used[index]).join(' | ')} |`;
  return { open: `${line(titles)}\n${line(titles.map(() => '---'))}`, rows: rows.map(line) };
}
