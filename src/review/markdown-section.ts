/** Rows under what introduces them: a table with its head, a code block with its fences. */
export interface Block {
  readonly open: string;
  /** Each stands on lines of its own. */
  readonly rows: readonly string[];
  readonly close?: string;
}

export interface Section {
  readonly open: string;
  readonly blocks: readonly Block[];
  readonly close?: string;
  /** What is left out, in words: so many rows, and so many blocks of which nothing is shown. */
  readonly rest: (rows: number, blocks: number) => string;
}

const paragraph = '\n\n';

/** The section with its first rows only; what is left out is counted. */
export function sectionText(section: Section, shownRows = rowCount(section)): string {
  const parts = [section.open];
  let room = shownRows;
  let unseen = 0;
  for (const block of section.blocks) {
    const rows = block.rows.slice(0, room);
    room -= rows.length;
    if (rows.length === 0) unseen += 1;
    else parts.push([block.open, ...rows, ...optional(block.close)].join('\n'));
  }
  const left = rowCount(section) - shownRows;
  if (left > 0) parts.push(section.rest(left, unseen));
  return [...parts, ...optional(section.close)].join(paragraph);
}

/** The shortest form: the title and the counts. */
export function leastText(section: Section): string {
  const [whole, least] = [sectionText(section), sectionText(section, 0)];
  return whole.length <= least.length ? whole : least;
}

/** As many rows as stand in so many characters, which are at least those of `leastText`. */
export function fitSection(section: Section, room: number): string {
  const whole = sectionText(section);
  if (whole.length <= room) return whole;
  let best = sectionText(section, 0);
  let [fits, tooMany] = [0, rowCount(section)];
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    const text = sectionText(section, middle);
    if (text.length <= room) [best, fits] = [text, middle];
    else tooMany = middle;
  }
  return best;
}

function rowCount({ blocks }: Section): number {
  return blocks.reduce((sum, block) => sum + block.rows.length, 0);
}

function optional(text: string | undefined): readonly string[] {
  return text === undefined ? [] : [text];
}
