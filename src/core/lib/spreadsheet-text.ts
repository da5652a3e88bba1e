import { printable } from './printable.ts';

/**
 * Untrusted text for a cell of CSV. Spreadsheets evaluate a cell that begins like a formula, so such text gets an
 * apostrophe. In countries with a decimal comma, they also end a cell at each semicolon, even within the quotation marks
 * of a later column, so what follows a semicolon gets one too. A cell has no line break.
 */
export function spreadsheetText(text: string): string {
  return printable(text).replace(formulas, "$1'");
}

const formulas = /(^|;)(?=\s*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;
