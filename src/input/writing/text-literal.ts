import { printableJson } from '../../core/lib/printable-json.ts';

/** A text as TypeScript has it: of one line, and with nothing in it that hides. */
export function textLiteral(text: string): string {
  return printableJson(JSON.stringify(text));
}
