import { printable } from '../../../core/lib/printable.ts';

type Claims = Readonly<Record<string, unknown>>;

const mostGroups = 1_000;
const longestGroup = 500;
const longestName = 200;

/** The groups in a claim: a list of texts, or one text. Null if the claim is absent. */
export function groupsIn(claims: Claims, claim: string): readonly string[] | null {
  if (!Object.hasOwn(claims, claim)) return null;
  return [claims[claim]]
    .flat()
    .filter((each) => typeof each === 'string')
    .filter((each) => each !== '' && each.length <= longestGroup)
    .slice(0, mostGroups);
}

/** What people call someone: the name, otherwise the login name, the address or the id at the provider. */
export function nameIn(claims: Claims): string {
  for (const claim of ['name', 'preferred_username', 'email', 'sub']) {
    const text = textIn(claims, claim);
    if (text !== null) return text;
  }
  return 'unknown';
}

export function emailIn(claims: Claims): string | null {
  return textIn(claims, 'email');
}

function textIn(claims: Claims, claim: string): string | null {
  const value = claims[claim];
  if (typeof value !== 'string') return null;
  const text = printable(value.slice(0, longestName).replace(/\s+/g, ' ').trim());
  return text === '' ? null : text;
}
