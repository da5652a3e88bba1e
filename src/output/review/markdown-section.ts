/** Rows with their introduction: a table with its head, or a code block with its fences. */
export interface MarkdownBlock {
  readonly open: string;
  readonly count: number;
  /** The text of one row, on lines of its own. Made only if it may be shown. */
  readonly row: (index: number) => string;
  readonly close?: string;
}

export interface MarkdownSection {
  readonly open: string;
  readonly blocks: readonly MarkdownBlock[];
  readonly close?: string;
  /** A description of what is left out: the number of rows, and the number of blocks that are left out entirely. */
  readonly rest: (rows: number, blocks: number) => string;
}

const paragraph = '\n\n';

/** A block with one row for each item. */
export function blockOf<T>(
  items: readonly T[],
  { row, ...frame }: { readonly open: string; readonly row: (item: T) => string; readonly close?: string },
): MarkdownBlock {
  const made: string[] = [];
  return { ...frame, count: items.length, row: (index) => (made[index] ??= row(items[index] as T)) };
}

/** The section with only its first rows; the rest is counted. */
export function sectionText(section: MarkdownSection, shownRows = rowCount(section)): string {
  const parts = [section.open];
  let room = shownRows;
  let unseen = 0;
  for (const block of section.blocks) {
    const rows = Array.from({ length: Math.min(block.count, room) }, (_, index) => block.row(index));
    room -= rows.length;
    if (rows.length === 0) unseen += 1;
    else parts.push([block.open, ...rows, ...optional(block.close)].join('\n'));
  }
  const left = rowCount(section) - shownRows;
  if (left > 0) parts.push(section.rest(left, unseen));
  return [...parts, ...optional(section.close)].join(paragraph);
}

/** The shortest form: the title and the counts, or the whole section if that is no longer. */
export function leastText(section: MarkdownSection): string {
  return fitSection(section, sectionText(section, 0).length);
}

/** As many rows as fit into this many characters, which must be at least the length of `leastText`. */
export function fitSection(section: MarkdownSection, room: number): string {
  const count = rowCount(section);
  let fitting = 0;
  for (const { rows, length, unseen } of growth(section, room)) {
    const rest = rows === count ? 0 : paragraph.length + section.rest(count - rows, unseen).length;
    if (length + rest <= room) fitting = rows;
  }
  return sectionText(section, fitting);
}

/** The length of the whole section. If it is more than `most`, an estimate from the rows that fit into `most`. */
export function wholeLength(section: MarkdownSection, most: number): number {
  const count = rowCount(section);
  const { rows, length } = [...growth(section, most)].at(-1) as Grown;
  return rows === count ? length : Math.max(most + 1, (length * count) / Math.max(1, rows));
}

interface Grown {
  readonly rows: number;
  /** The length of the text with this many rows, without the note about what is left out. */
  readonly length: number;
  /** Blocks that are left out entirely. */
  readonly unseen: number;
}

/** The section without rows, then row by row until the room is used: no row beyond that is made. */
function* growth({ open, blocks, close }: MarkdownSection, room: number): Generator<Grown> {
  let length = open.length + (close === undefined ? 0 : paragraph.length + close.length);
  let rows = 0;
  let unseen = blocks.length;
  yield { rows, length, unseen };
  for (const block of blocks) {
    if (block.count === 0) continue;
    unseen -= 1;
    length += paragraph.length + block.open.length + (block.close === undefined ? 0 : 1 + block.close.length);
    for (let index = 0; index < block.count; index += 1) {
      length += 1 + block.row(index).length;
      if (length > room) return;
      rows += 1;
      yield { rows, length, unseen };
    }
  }
}

function rowCount({ blocks }: MarkdownSection): number {
  return blocks.reduce((sum, block) => sum + block.count, 0);
}

function optional(text: string | undefined): readonly string[] {
  return text === undefined ? [] : [text];
}
