import { Token } from 'cdktf';

/** Text that Terraform uses literally: the openings of its templates are doubled. A token stays a token. */
export function literal(text: string): string {
  return Token.isUnresolved(text) ? text : escaped(text);
}

/** The same for text from outside, which can't contain a token. */
export function escaped(text: string): string {
  return text.replaceAll('${', () => '$${').replaceAll('%{', () => '%%{');
}

/** Null in a value of a stack: cdktf can't write a plain null in HCL. */
export const nothing = '${null}';

/** One literal word of a POSIX shell command line. */
export function shellWord(text: string): string {
  if (Token.isUnresolved(text)) return `'${text}'`;
  return /^[\w./@+=:,-]+$/.test(text) ? text : `'${literal(text.replaceAll("'", () => "'\\''"))}'`;
}
