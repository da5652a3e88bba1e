import { displayWidth } from '../../core/lib/display-width.ts';
import { commonStart, shorten, shortenAround } from './shorten.ts';

/** A text and the number of cells in which it is shown. */
export interface Fitted {
  readonly text: string;
  readonly width: number;
}

/**
 * Cuts texts to their widths so that different texts look different. If their ends are alike, it shows the part in
 * which they differ; if even that is alike, it adds a number. The result depends only on the text and the width.
 */
export function distinguish(all: readonly Fitted[]): (text: string, width: number) => string {
  const cut = all.filter(({ text, width }) => displayWidth(text) > width);
  const narrowest = cut.reduce((least, { width }) => Math.min(least, width), Infinity);
  const starts = new Map<string, number>();
  spread(new Set(cut.map(({ text }) => text)), (text) => shorten(text, narrowest), narrowest, starts);

  const shown = (text: string, width: number): string => {
    const at = starts.get(text);
    return at === undefined ? shorten(text, width) : shortenAround(text, width, at);
  };
  const numbers = numbersOf(new Set(all.map(({ text }) => text)), (text) => shown(text, narrowest));
  return (text, width) => {
    const number = numbers.get(text);
    if (number === undefined || displayWidth(text) <= width) return shown(text, width);
    const mark = `#${number}`;
    return `${shown(text, Math.max(1, width - mark.length))}${mark}`;
  };
}

/**
 * Shifts texts that look alike to the position where they begin to differ, and repeats this for each group that still
 * looks alike.
 */
function spread(
  texts: ReadonlySet<string>,
  appearance: (text: string) => string,
  width: number,
  starts: Map<string, number>,
): void {
  for (const alike of Map.groupBy(texts, appearance).values()) {
    if (alike.length === 1) continue;
    const at = commonStart(alike);
    if (alike.every((text) => starts.get(text) === at)) continue;
    for (const text of alike) starts.set(text, at);
    spread(new Set(alike), (text) => shortenAround(text, width, at), width, starts);
  }
}

/** Numbers for texts that still look alike. */
function numbersOf(
  texts: ReadonlySet<string>,
  appearance: (text: string) => string,
): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>();
  for (const alike of Map.groupBy(texts, appearance).values()) {
    if (alike.length > 1) for (const [index, text] of alike.entries()) numbers.set(text, index + 1);
  }
  return numbers;
}
