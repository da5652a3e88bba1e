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
  return respell(value, (key) => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()));
}

function respell(value: unknown, spell: (key: string) => string): unknown {
  if (Array.isArray(value)) return value.map((each) => respell(each, spell));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => part !== undefined)
      .map(([key, part]) => [spell(key), respell(part, spell)]),
  );
}
