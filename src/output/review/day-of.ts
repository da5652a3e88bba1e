/** The day of a time; undefined if the text is not a time. */
export function dayOf(time: string): string | undefined {
  return /^\d{4}-\d{2}-\d{2}(?=T)/.exec(time)?.[0];
}
