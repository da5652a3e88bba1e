/** A sentence of the server, with its times as the reader writes them, in their zone. */
export function withTimes(sentence: string, locale?: string, zone?: string): string {
  return sentence.replaceAll(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g, (time) =>
    new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone }).format(
      Date.parse(time),
    ),
  );
}
