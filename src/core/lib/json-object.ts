/** Is this value of a JSON text an object? */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member of a member, and so on; undefined if a part is no object or list, or has no such member of its own. */
export function memberAt(value: unknown, names: readonly string[]): unknown {
  return names.reduce(member, value);
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
