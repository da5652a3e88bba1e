import type { Part } from './markdown-budget.ts';
import type { MarkdownBlock, MarkdownSection } from './markdown-section.ts';

/** Describes rows that are left out, by what they are. */
export type Rest = (noun: string, plural?: string) => MarkdownSection['rest'];

/** Sections with at most this many rows are unfolded. */
export const mostUnfolded = 10;

/** A part that readers can unfold. The title is HTML. */
export function folding(
  kind: 'first' | 'second' | 'tail',
  title: string,
  block: MarkdownBlock,
  rest: MarkdownSection['rest'],
): Part {
  const isOpen = block.count <= mostUnfolded;
  return {
    kind,
    section: { open: details(title, { isOpen }), blocks: [block], close: '</details>', rest },
  };
}

/** The first lines of a part that readers can unfold. The title is HTML. */
export function details(title: string, { isOpen = false } = {}): string {
  return `<details${isOpen ? ' open' : ''}>\n<summary>${title}</summary>`;
}
