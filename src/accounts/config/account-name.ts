/** A plain word: it is part of file names, headings and patterns. */
const plainWord = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

export function isAccountName(text: string): boolean {
  return plainWord.test(text) && !text.endsWith('.');
}

export const accountNameWords =
  'a name has at most 63 letters, digits, ".", "_" and "-", and starts with a letter or a digit';
