import { memo } from '../../lib/memo.ts';

/**
 * Converts between the two spellings of one structure: camelCase in the program, snake_case in documents. Every key of
 * a plan is a fixed word, never a host's name, so the conversion is mechanical.
 */
export function toDocument(value: unknown): unknown {
  return respell(value, toDocumentKey);
}

export const toDocumentKey = memo((key: string) =>
  key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
);

export function fromDocument(value: unknown): unknown {
  // Strangers may have chosen the keys, so that none is kept.
  return respell(
    value,
    memo((key: string) => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())),
  );
}

/** Parts in which no key changes are the same objects: most of a large plan consists of such parts. */
function respell(value: unknown, spell: (key: string) => string): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    const items = value.map((each) => respell(each, spell));
    return items.some((each, index) => each !== value[index]) ? items : value;
  }
  const source = value as Readonly<Record<string, unknown>>;
  const spelled: Record<string, unknown> = {};
  let isSame = true;
  for (const key of Object.keys(source)) {
    const part = source[key];
    const name = spell(key);
    const other = respell(part, spell);
    isSame &&= name === key && other === part && part !== undefined;
    if (part !== undefined) spelled[name] = other;
  }
  return isSame ? value : spelled;
}
