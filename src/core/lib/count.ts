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
