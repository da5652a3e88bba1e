import type { Field } from './field.ts';

const pseudo = new Set([':method', ':scheme', ':authority', ':path']);
const required = [':method', ':scheme', ':path'];
/** Fields that belong to a connection of HTTP/1.1 (RFC 9113, section 8.2.2). */
const ofConnection = new Set([
  'connection',
  'proxy-connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
]);
const name = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
const value = /^(?![ \t])[^\r\n]*(?<![ \t])$/;

/** The path of a request, or null if its fields are malformed (RFC 9113, section 8.1.1). */
export function requestPath(fields: readonly Field[]): string | null {
  const seen = new Map<string, string>();
  let isBegun = false;
  for (const field of fields) {
    if (!field.name.startsWith(':')) {
      isBegun = true;
      if (!isRequestField(field)) return null;
    } else {
      if (isBegun || !pseudo.has(field.name) || seen.has(field.name) || !isValue(field.value)) return null;
      seen.set(field.name, field.value);
    }
  }
  return required.every((each) => seen.get(each)) ? (seen.get(':path') ?? null) : null;
}

/** May a request or its trailer have this field, which is none of its path, method, scheme and authority? */
export function isRequestField(field: Field): boolean {
  if (ofConnection.has(field.name) || !name.test(field.name) || !isValue(field.value)) return false;
  return field.name !== 'te' || field.value === 'trailers';
}

/** A value has no line break, no zero, and no space around it (RFC 9113, section 8.2.1). */
function isValue(text: string): boolean {
  return value.test(text) && !text.includes('\0');
}
