let segmenter: Intl.Segmenter | undefined;

/** Splits a text into characters as a reader counts them. The first call takes as long as half of a bare start-up. */
export function graphemes(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}
