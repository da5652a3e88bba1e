import { graphemes } from './graphemes.ts';

/**
 * The number of terminal cells that a text takes: two for wide East Asian characters and emoji, none for combining
 * marks, one for the rest. The caller must deal with control characters: see `printable`.
 */
export function displayWidth(text: string): number {
  if (narrow.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes(text)) width += clusterWidth(segment);
  return width;
}

/** Cuts a text to this many cells. A text that was cut ends in `…`. */
export function cutToCells(text: string, cells: number): string {
  if (displayWidth(text) <= cells) return text;
  let kept = '';
  let width = 1;
  for (const { segment } of graphemes(text)) {
    width += clusterWidth(segment);
    if (width > cells) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Always one cell: Latin letters, dashes, quotation marks, dots and arrows. */
const narrow = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2190-\u21ff]*$/;
const emoji = /^(?:\p{Emoji_Presentation}|\p{Emoji}\ufe0f|[#*\d]\ufe0f?\u20e3|\p{RI}\p{RI})/u;
const noCell = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff\ud7b0-\ud7ff\ufe00-\ufe0f]$/u;

/** East Asian Width W and F of Unicode 16, except emoji, which have a property of their own. */
const wide = new RegExp(
  '^[\\u1100-\\u115f\\u2329\\u232a\\u2630-\\u2637\\u268a-\\u268f\\u2e80-\\u303e\\u3041-\\u3247\\u3250-\\u4dff\\u4e00-\\ua4cf\\ua960-\\ua97c\\uac00-\\ud7a3' +
    '\\uf900-\\ufaff\\ufe10-\\ufe19\\ufe30-\\ufe6f\\uff01-\\uff60\\uffe0-\\uffe6' +
    '\\u{16fe0}-\\u{18dff}\\u{1aff0}-\\u{1b2ff}\\u{1d300}-\\u{1d376}\\u{1f200}-\\u{1f265}\\u{20000}-\\u{3fffd}]$',
  'u',
);

function clusterWidth(cluster: string): number {
  if (emoji.test(cluster)) return 2;
  let width = 0;
  for (const character of cluster) width += noCell.test(character) ? 0 : wide.test(character) ? 2 : 1;
  return width;
}
