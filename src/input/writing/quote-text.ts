/**
 * A text in double quotation marks, as both YAML and HCL read it. Everything that is not a visible letter, mark,
 * number, sign or plain blank is escaped, so that nothing in it ends the line or hides from a reviewer.
 */
export function quoteText(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&').replace(unseen, escape)}"`;
}

// The four are letters by category, but invisible.
const unseen = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]|[\u115f\u1160\u3164\uffa0]/gu;

const short: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

function escape(character: string): string {
  const code = character.codePointAt(0) as number;
  const hex = code.toString(16);
  return (
    short.get(character) ?? (code > 0xffff ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`)
  );
}
