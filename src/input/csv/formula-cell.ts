/**
 * Spreadsheets run a cell that begins with one of these, whatever quotation marks stand around it. An apostrophe in front
 * keeps them from that, so one more is written and one less is read, and every text reads back as it is.
 */
const escaped = /^'+[=+\-@\t\r＝＋－＠]/;
const formula = /^[=+\-@\t\r＝＋－＠]/;
const apostrophe = 0x27;

/** A text as a cell; raw: only what would read back as another text is changed. */
export function toFormulaCell(text: string, { raw }: { readonly raw: boolean }): string {
  return escaped.test(text) || (!raw && formula.test(text)) ? `'${text}` : text;
}

export function fromFormulaCell(cell: string): string {
  return cell.charCodeAt(0) === apostrophe && escaped.test(cell) ? cell.slice(1) : cell;
}
