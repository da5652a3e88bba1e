import { printable } from '../../core/lib/printable.ts';
import { quoteText } from './quote-text.ts';

/** A text as a YAML scalar on one line, for a list or braces; unquoted if every reader takes it as text. */
export function yamlText(text: string): string {
  return isBare.test(text) && !meansElse.test(text) && printable(text) === text ? text : quoteText(text);
}

const isBare = /^[\p{L}_](?:[\p{L}\p{M}\p{N}_.\-/()+ ]*[\p{L}\p{M}\p{N}_.\-/()+])?$/u;

/** Words that YAML 1.1 or 1.2 reads as a boolean or null. */
const meansElse = /^(?:y|n|yes|no|on|off|true|false|null)$/i;
