import { Token } from 'cdktf';

/** Text that Terraform takes as it is: the openings of its templates are doubled. A token stays a token. */
export function literal(text: string): string {
  return Token.isUnresolved(text) ? text : escaped(text);
}

/** The same for text that has come from outside and can hold no token, whatever is in it. */
export function escaped(text: string): string {
  return text.replaceAll('${', () => '$${').replaceAll('%{', () => '%%{');
}

/** One word of a POSIX shell's command line, and literal. */
export function shellWord(text: string): string {
  if (Token.isUnresolved(text)) return `'${text}'`;
  return /^[\w./@+=:,-]+$/.test(text) ? text : `'${literal(text.replaceAll("'", () => "'\\''"))}'`;
}
