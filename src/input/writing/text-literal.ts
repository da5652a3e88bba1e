import { printableJson } from '../../core/lib/printable.ts';

/** A text as a TypeScript literal on one line, with no hidden characters. */
export function textLiteral(text: string): string {
  return printableJson(JSON.stringify(text));
}
