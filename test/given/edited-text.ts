import fc from 'fast-check';

/** A random change of a text. */
interface TextChange {
  /** A share of the text's length. */
  readonly at: number;
  readonly removed: number;
  readonly added: string;
}

/** Changes that insert one of these texts. */
export function changesWith(added: readonly string[]): fc.Arbitrary<TextChange> {
  return fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    removed: fc.constantFrom(0, 0, 0, 1, 2, 4),
    added: fc.constantFrom(...added),
  });
}

export function changed(text: string, { at, removed, added }: TextChange): string {
  const start = Math.round(at * text.length);
  return `${text.slice(0, start)}${added}${text.slice(start + removed)}`;
}
