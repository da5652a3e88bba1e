import { displayWidth } from '../lib/display-width.ts';

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Cuts the middle out of a text so that it fits: `BER-WE…-01`. Both ends of a name tell hosts apart. */
export function shorten(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  const parts = Array.from(graphemes.segment(text), (each) => each.segment);
  const room = Math.max(0, width - 1);
  const head = fitting(parts, Math.ceil(room / 2));
  const tail = fitting(parts.reverse(), room - displayWidth(head)).length;
  return `${head}…${tail === 0 ? '' : text.slice(-tail)}`;
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
