/**
 * Spreadsheets evaluate a cell that begins with one of these characters, even inside quotation marks. A leading
 * apostrophe prevents that, so writing adds an apostrophe and reading removes one, and every text reads back unchanged.
 */
const escaped = /^'+[=+\-@\t\r＝＋－＠]/;
const formula = /^[=+\-@\t\r＝＋－＠]/;
const apostrophe = 0x27;

/** Writes a text as a cell. With `raw`, only text that would read back differently is changed. */
export function toFormulaCell(text: string, { raw }: { readonly raw: boolean }): string {
  return escaped.test(text) || (!raw && formula.test(text)) ? `'${text}` : text;
}

export function fromFormulaCell(cell: string): string {
  return cell.charCodeAt(0) === apostrophe && escaped.test(cell) ? cell.slice(1) : cell;
}
