import type { HoldsSecret } from './secret-guard.ts';

/** The maximum length of a message in characters. */
const shown = 300;
/** How much of a text is searched for a message, and how much further a secret may end, in UTF-16 units. */
const looked = 16_384;
const margin = 32_768;

const withheld = '(withheld because it repeats the credentials)';

/**
 * Text from the service, prepared for one sentence: without markup, with blanks collapsed, cut to a maximum length, and
 * withheld if it repeats a secret. Other hostile characters are kept, because the printer escapes them. Null if nothing
 * is left.
 */
export function serviceText(text: string, holdsSecret: HoldsSecret): string | null {
  if (holdsSecret(text.slice(0, looked + margin))) return withheld;
  const plain = plainText(text.slice(0, looked)).replace(/\s+/g, ' ').trim();
  if (plain === '') return null;
  if (holdsSecret(plain)) return withheld;
  const head = Array.from(plain.slice(0, shown * 2 + 2));
  return head.length <= shown ? plain : `${head.slice(0, shown).join('')}…`;
}

function plainText(text: string): string {
  if (!/^\s*</.test(text)) return text;
  const title = /<title[^>]*>([^<]+)<\/title>/i.exec(text)?.[1];
  return (title ?? text.replace(/<(script|style)\b.*?<\/\1>/gis, ' ').replace(/<[^>]*>/g, ' ')).replace(
    /&(amp|lt|gt|quot|apos|nbsp);/g,
    (_, name: string) => entities[name] ?? ' ',
  );
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};
