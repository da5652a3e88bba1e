const delimiters = [',', ';', '\t'] as const;
export type Delimiter = (typeof delimiters)[number];

/**
 * The cell delimiter, detected in the first line that is not blank, outside quotation marks: spreadsheets in much of
 * Europe write semicolons.
 */
export function delimiterOf(text: string): Delimiter {
  const header = /(?!\s)(?:"[^"]*"|[^"\r\n])+/.exec(text)?.[0].replaceAll(/"[^"]*"/g, '') ?? '';
  const count = (delimiter: Delimiter) => header.split(delimiter).length;
  return delimiters.reduce((best, each) => (count(each) > count(best) ? each : best));
}
