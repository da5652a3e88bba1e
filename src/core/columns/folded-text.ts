import { hashOf } from './text-hash.ts';

/** The text in NFC and lower case. Two texts that fold alike differ only in letter case and normalization. */
export function foldText(text: string): string {
  return (beyondAscii.test(text) ? text.normalize('NFC') : text).toLowerCase();
}

/** `hashOf` the folded text. Pure ASCII is hashed without making the folded text, which is faster. */
export function hashOfFolded(text: string): number {
  const hash = hashOf(text, true);
  return hash === -1 ? hashOf(foldText(text)) : hash;
}

const beyondAscii = /[^\0-\x7f]/;
