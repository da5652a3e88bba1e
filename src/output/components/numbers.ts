/** `1,204`, in the notation of the reader's locale. */
export function figure(number: number, locale = notation): string {
  return new Intl.NumberFormat(locale).format(number);
}

/** A sentence of the server whose numbers are all counts, with these in the notation of the reader's locale. */
export function inFigures(sentence: string, locale?: string): string {
  return sentence.replaceAll(/\d{1,3}(?:,\d{3})+|\d{4,}/g, (number) =>
    figure(Number(number.replaceAll(',', '')), locale),
  );
}

/** `1 account`, `1,204 accounts`. */
export function counted(number: number, singular: string, plural = `${singular}s`, locale?: string): string {
  return `${figure(number, locale)} ${number === 1 ? singular : plural}`;
}

/** `20`, or `20+` if there are more. */
export function atLeast(number: number, hasMore: boolean, locale?: string): string {
  return `${figure(number, locale)}${hasMore ? '+' : ''}`;
}

/** `61%`. It shows 100% only if nothing is left, and 0% only if nothing is done. */
export function share(part: number, whole: number, locale?: string): string {
  if (whole <= 0) return new Intl.NumberFormat(locale, { style: 'percent' }).format(0);
  const exact = part / whole;
  const percent = Math.round(exact * 100);
  const shown = part > 0 && percent === 0 ? 0.01 : part < whole && percent === 100 ? 0.99 : exact;
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }).format(shown);
}

/** A text that a person wrote, with a period if it has no end. */
export function sentence(text: string): string {
  return /[.!?]\s*$/.test(text) ? text : `${text}.`;
}

/** A text as the beginning of a sentence. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** How numbers are written; the notation of the reader's locale if absent. */
let notation: string | undefined;

/** A report has the same numbers for every reader, and declares that before it writes the first one. */
export function setNotation(locale: string): void {
  notation = locale;
}
