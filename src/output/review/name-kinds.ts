/** This many names with the same word make the word a kind of names. */
const manyNames = 5;
/** Nobody names hosts in more words, and each takes time. */
const mostWords = 6;
const longestName = 256;

/**
 * The kind of a name: its words without what only counts or varies. `DESKTOP-0104` and `DESKTOP-0105` are of one kind. So
 * are the names that a factory gives, such as `DESKTOP-C0FA07`: a word that few names have is of no kind of its own, unless
 * nearly all others have another length.
 */
export function nameKinds(names: readonly string[]): (name: string) => string {
  const kinds = new Map(names.map((name) => [name, '']));
  const wordsOf = new Map([...kinds.keys()].map((name) => [name, splitName(name)]));
  for (let at = 0; at < mostWords; at += 1) {
    for (const [kind, alike] of Map.groupBy(kinds.keys(), (name) => kinds.get(name) as string)) {
      const withWord = alike.filter((name) => (wordsOf.get(name) as readonly string[]).length > at);
      const words = withWord.map((name) => wordKind(wordsOf.get(name)?.[at] ?? ''));
      const counts = new Map(
        [...Map.groupBy(words, (word) => word)].map(([word, all]) => [word, all.length]),
      );
      const isCommon = (word: string) => word !== '*' && (counts.get(word) as number) >= manyNames;
      // Among names that vary in this word, some consist of digits, or end with them, by chance.
      const isVaried = words.filter((word) => !isCommon(word)).length > words.length / 2;
      const lengthOf = (name: string) => wordsOf.get(name)?.[at]?.length ?? 0;
      // Factories give names of one length.
      const usualLength = isVaried ? nearlyAll(withWord.map(lengthOf)) : undefined;
      for (const [index, name] of withWord.entries()) {
        const word = words[index] as string;
        const varies = usualLength === undefined || usualLength === lengthOf(name) ? '*' : '?';
        const shown = isCommon(word) && !(isVaried && word.endsWith('#')) ? word : varies;
        kinds.set(name, `${kind}-${shown}`);
      }
    }
  }
  return (name) => kinds.get(name) ?? '';
}

/** The number that nearly all are, if there is one. */
export function nearlyAll(numbers: readonly number[]): number | undefined {
  const [usual] = [...Map.groupBy(numbers, (number) => number)].toSorted(
    ([, a], [, b]) => b.length - a.length,
  );
  return usual !== undefined && usual[1].length > 0.9 * numbers.length ? usual[0] : undefined;
}

/** The first words of a name in lower case: its letters and digits between other characters. */
export function splitName(name: string): readonly string[] {
  return (
    name
      .slice(0, longestName)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).slice(0, mostWords);
}

/** `#` for a number, `lt#` for `lt0042`, `ber2lt#` for `ber2lt0042`, `*` for any other letters and digits. */
function wordKind(word: string): string {
  if (/^\d+$/.test(word)) return '#';
  if (!/\d/.test(word)) return word;
  const [, letters] = /^(.*\D)\d+$/.exec(word) ?? [];
  return letters === undefined ? '*' : `${letters}#`;
}
