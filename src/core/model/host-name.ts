import { foldText, hashOfFolded } from '../columns/folded-text.ts';

/** Names that fold alike may be one name to the service: its letter-case rule is not documented. */
export function foldName(name: string): string {
  return foldText(name);
}

/** Does `foldName` give the same for both? Nothing is made to see that it does not. */
export function foldAlike(a: string, b: string): boolean {
  return a === b || (hashOfFolded(a) === hashOfFolded(b) && foldName(a) === foldName(b));
}

/** Two such names look alike only if they fold alike. */
export function isPrintableAscii(name: string): boolean {
  return printableAscii.test(name);
}

/** A name in two lines can pass for two names wherever it is printed. */
export function hasLineBreak(name: string): boolean {
  return lineBreak.test(name);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const lineBreak = /[\n\v\f\r\u0085\u2028\u2029]/;
const printableAscii = /^[\u0020-\u007e]*$/;
