import { displayWidth } from '../../core/lib/display-width.ts';
import { graphemes } from '../../core/lib/graphemes.ts';

/** Cuts the middle out of a text so that it fits: `BER-WE…-01`. Names of hosts differ at both ends. */
export function shorten(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  const parts = partsOf(text);
  const room = Math.max(0, width - 1);
  const head = fitting(parts, Math.ceil(room / 2));
  const tail = fitting(parts.toReversed(), room - displayWidth(head)).length;
  return `${head}…${tail === 0 ? '' : text.slice(-tail)}`;
}

/** How many characters are shown before the position where texts begin to differ. */
const lead = 3;

/** Cuts a text so that it fits and shows the part from the character `at`: `BER-…-0042-w…`. */
export function shortenAround(text: string, width: number, at: number): string {
  if (displayWidth(text) <= width) return text;
  const parts = partsOf(text);
  const from = Math.max(0, at - (width >= 4 * lead ? lead : 0));
  const rest = parts.slice(from).join('');
  const restWidth = displayWidth(rest);
  if (restWidth <= width - 1) return `${fitting(parts, width - 1 - restWidth)}…${rest}`;
  const head = fitting(parts.slice(0, from), Math.floor((width - 2) / 3));
  const room = width - 2 - displayWidth(head);
  return `${head}…${fitting(parts.slice(from), Math.max(1, room))}…`;
}

/** The first characters of a text that fit. */
export function startOf(text: string, width: number): string {
  return displayWidth(text) <= width ? text : `${fitting(partsOf(text), Math.max(0, width - 1))}…`;
}

/** The last characters of a text that fit. */
export function endOf(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  const tail = fitting(partsOf(text).toReversed(), Math.max(0, width - 1)).length;
  return `…${tail === 0 ? '' : text.slice(-tail)}`;
}

/** The length of the common prefix of all texts. */
export function commonStart(texts: readonly string[]): number {
  const [first = [], ...others] = texts.map(partsOf);
  const differing = first.findIndex((part, index) => others.some((other) => other[index] !== part));
  return differing === -1 ? first.length : differing;
}

function partsOf(text: string): readonly string[] {
  return Array.from(graphemes(text), (each) => each.segment);
}

function fitting(parts: readonly string[], room: number): string {
  let taken = '';
  let width = 0;
  for (const part of parts) {
    width += displayWidth(part);
    if (width > room) break;
    taken += part;
  }
  return taken;
}
