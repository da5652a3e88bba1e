import { printable } from '../../core/lib/printable.ts';
import { quoteText } from './quote-text.ts';

/** A text as a YAML scalar of one line, in a list or in braces: bare where every reader takes it for text. */
export function yamlText(text: string): string {
  return isBare.test(text) && !meansElse.test(text) && printable(text) === text ? text : quoteText(text);
}

const isBare = /^[\p{L}_](?:[\p{L}\p{M}\p{N}_.\-/()+ ]*[\p{L}\p{M}\p{N}_.\-/()+])?$/u;

/** Words that YAML 1.1 or 1.2 takes for a truth value or for nothing. */
const meansElse = /^(?:y|n|yes|no|on|off|true|false|null)$/i;
