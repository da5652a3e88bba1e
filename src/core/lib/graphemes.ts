let segmenter: Intl.Segmenter | undefined;

/** A text in characters as a reader counts them. The first one that is asked for costs half of a bare start-up. */
export function graphemes(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}
