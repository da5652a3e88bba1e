import { printable } from '../../core/lib/printable.ts';
import { quoted } from '../../core/lib/words.ts';

/** An untrusted name for a comment: always one line, with a bounded length. */
export function commentName(name: string): string {
  return printable(quoted(name));
}
