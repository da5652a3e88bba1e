/**
 * A name as searches and lists compare it: in lower case, in one Unicode form. The database does not compute it, because
 * its rules depend on its locale.
 */
export function nameKey(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** A pattern of LIKE that matches exactly this text. */
export function literally(text: string): string {
  return text.replaceAll(/[\\%_]/g, (character) => `\\${character}`);
}
