/** `1,204`: a whole number for people, with commas in every language, so that a plan has the same bytes everywhere. */
export function grouped(number: number): string {
  return String(number).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `1 rename`, `1,204 renames`, `3 entries`. */
export function count(number: number, singular: string, plural = `${singular}s`): string {
  return `${grouped(number)} ${number === 1 ? singular : plural}`;
}

/** `1,204 renames`; nothing for 0. */
export function countIfAny(number: number, singular: string, plural?: string): readonly string[] {
  return number === 0 ? [] : [count(number, singular, plural)];
}

/** `a`, `a and b`, `a, b and c`. `Intl.ListFormat` would take 9 ms to load its tables. */
export function listed(parts: readonly string[], conjunction: 'and' | 'or' = 'and'): string {
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} ${conjunction} ${last}`;
}

/** `a, b and 1,204 more`: the first of these, and how many others there are. */
export function firstFew<T>(
  items: readonly T[],
  most: number,
  toWords: (item: T) => string = String,
): string {
  const named = items.slice(0, most).map(toWords).join(', ');
  return items.length > most ? `${named} and ${grouped(items.length - most)} more` : named;
}

const shown = 80;

/** Untrusted text in quotation marks, for a message. Very long text is cut. */
export function quoted(text: string): string {
  if (text.length <= shown) return `"${text}"`;
  const unit = text.charCodeAt(shown - 1);
  const end = unit >= 0xd800 && unit <= 0xdbff ? shown - 1 : shown;
  return `"${text.slice(0, end)}…"`;
}

/** `did you mean "a", "b" or "c"?`; undefined if there is nothing similar. */
export function didYouMean(similar: readonly string[]): string | undefined {
  return similar.length === 0 ? undefined : `did you mean ${listed(similar.map(quoted), 'or')}?`;
}

/** At most three candidates that are similar to `word`, most similar first. */
export function nearest(word: string, candidates: Iterable<string>): readonly string[] {
  const folded = word.toLowerCase();
  const limit = Math.min(word.length - 1, Math.max(2, Math.floor(word.length / 3)));
  const scored: { readonly text: string; readonly distance: number }[] = [];
  for (const text of candidates) {
    if (Math.abs(text.length - word.length) > limit) continue;
    const distance = editDistance(folded, text.toLowerCase());
    if (distance <= limit) scored.push({ text, distance });
  }
  scored.sort((a, b) => a.distance - b.distance || (a.text < b.text ? -1 : 1));
  return scored.slice(0, 3).map((each) => each.text);
}

/** The Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substituted = (previous[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current[j] = Math.min(substituted, (previous[j] as number) + 1, (current[j - 1] as number) + 1);
    }
    previous = current;
  }
  return previous[b.length] as number;
}
