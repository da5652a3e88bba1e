import { printable } from '../../core/lib/printable.ts';
import { quoted } from '../../core/lib/quoted.ts';

/** A name from outside for a comment: of one line and of bounded length, whatever is in it. */
export function commentName(name: string): string {
  return printable(quoted(name));
}
