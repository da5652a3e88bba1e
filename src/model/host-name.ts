import { hashOf } from '../lib/are-distinct.ts';

/** Names that fold alike may be one name to the service: its letter-case rule is not documented. */
export function foldName(name: string): string {
  return (isAscii(name) ? name : name.normalize('NFC')).toLowerCase();
}

/** Does `foldName` give the same for both? Nothing is made to see that it does not. */
export function foldAlike(a: string, b: string): boolean {
  return a === b || (hashOfFolded(a) === hashOfFolded(b) && foldName(a) === foldName(b));
}

/** Of the folded name; for ASCII without making it, in a fourth of the time. */
export function hashOfFolded(name: string): number {
  return isAscii(name) ? hashOf(name, true) : hashOf(foldName(name));
}

/** For texts as short as names this takes less time than a regular expression. */
function isAscii(name: string): boolean {
  for (let at = 0; at < name.length; at += 1) if (name.charCodeAt(at) > 0x7f) return false;
  return true;
}
