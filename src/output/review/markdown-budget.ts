import { fitSection, leastText, type MarkdownSection, sectionText, wholeLength } from './markdown-section.ts';

/** The longest comment that GitHub accepts; GitLab accepts 1,000,000. */
export const defaultMarkdownLimit = 65_536;

/** A part of the review, in reading order. */
export type Part =
  /** Every row is shown, if necessary in its short form, unless these parts alone do not fit. */
  | {
      readonly kind: 'kept';
      readonly section: MarkdownSection;
      readonly short: MarkdownSection;
      /** The last part of this kind to be cut: it has few rows, which a reviewer should check first. */
      readonly isFirst?: true;
    }
  /**
   * Rows may be left out, and are counted then. Parts of an earlier kind get their room before those of a later one.
   */
  | { readonly kind: (typeof cutKinds)[number]; readonly section: MarkdownSection };

const cutKinds = ['first', 'second', 'tail'] as const;

const separator = '\n\n';

/**
 * The parts after a head in at most `limit` characters (UTF-16 units, which are never fewer than the characters a forge
 * counts). Parts that may be cut share the remaining room, so that each kind of change shows some rows. Kept parts are
 * cut only if they do not fit even in their short form, and then the text says so.
 */
export function fitParts(head: string, parts: readonly Part[], limit: number): string {
  const full = layOutParts(head, parts, limit);
  if (full !== undefined) return full;
  const kept = 'Errors and deletions are shortened';
  const short = layOutParts(`${head}${separator}${kept}, to fit ${limit} characters.`, parts, limit, {
    short: true,
  });
  if (short !== undefined) return short;
  const all = `${head}${separator}${kept} and cut, to fit ${limit} characters.`;
  const some = parts.map((part) => cutPart(part, false));
  const every = parts.map((part) => cutPart(part, true));
  return (
    layOutParts(all, some, limit) ??
    layOutParts(all, every, limit) ??
    join([all, ...every.map((part) => leastOf(part, true))])
  );
}

/** The part so that its rows may be left out. What should be checked first keeps its rows if possible. */
function cutPart(part: Part, isCut: boolean): Part {
  return part.kind !== 'kept' || (part.isFirst === true && !isCut)
    ? part
    : { kind: 'first', section: part.short };
}

export interface LayoutOptions {
  /** Kept parts in their short form. */
  readonly short?: boolean;
  /** Characters to leave free, but at most half of what the first and second parts leave. */
  readonly reserve?: number;
}

/** Undefined if even the shortest form of all parts is too long. */
export function layOutParts(
  head: string,
  parts: readonly Part[],
  limit: number,
  { short = false, reserve = 0 }: LayoutOptions = {},
): string | undefined {
  const texts = parts.map((part) => leastOf(part, short));
  let spare = limit - join([head, ...texts]).length;
  if (spare < 0) return undefined;
  const needs = parts
    .map((part, index) => ({ part, index, need: needOf(part, texts[index] as string, spare) }))
    .filter(({ need }) => need > 0)
    .sort((a, b) => a.need - b.need);
  for (const kind of cutKinds) {
    if (kind === 'tail') spare -= Math.min(reserve, Math.floor(spare / 2));
    const sharing = needs.filter(({ part }) => part.kind === kind);
    for (const [done, { part, index }] of sharing.entries()) {
      const least = (texts[index] as string).length;
      const text = fitSection(part.section, least + Math.floor(spare / (sharing.length - done)));
      texts[index] = text;
      spare -= text.length - least;
    }
  }
  return join([head, ...texts]);
}

function leastOf(part: Part, short: boolean): string {
  if (part.kind !== 'kept') return leastText(part.section);
  return sectionText(short ? part.short : part.section);
}

/** How much more room the whole part takes; an estimate if that is more than there is. */
function needOf(part: Part, least: string, spare: number): number {
  return part.kind === 'kept' ? 0 : wholeLength(part.section, least.length + spare) - least.length;
}

function join(texts: readonly string[]): string {
  return `${texts.join(separator)}\n`;
}
