import { foldText, hashOfFolded } from '../columns/text-hash.ts';

/** The service may treat names that fold alike as one name: its letter-case rule is not documented. */
export function foldName(name: string): string {
  return foldText(name);
}

/** Does `foldName` return the same for both? If not, no folded text is made. */
export function foldAlike(a: string, b: string): boolean {
  return a === b || (hashOfFolded(a) === hashOfFolded(b) && foldName(a) === foldName(b));
}

/** Two such names look alike only if they fold alike. */
export function isPrintableAscii(name: string): boolean {
  return printableAscii.test(name);
}

/** A name with a line break can look like two names when printed. */
export function hasLineBreak(name: string): boolean {
  return lineBreak.test(name);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const lineBreak = /[\n\v\f\r\u0085\u2028\u2029]/;
const printableAscii = /^[\u0020-\u007e]*$/;
