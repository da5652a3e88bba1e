/** The requested fields; null: all fields. */
export type StoredFields = readonly string[] | null;

/** Checks whether these fields were requested. The specification itself spells one in two letter cases. */
export function covers(asked: StoredFields, needed: StoredFields): boolean {
  if (asked === null) return true;
  if (needed === null) return false;
  const folded = new Set(asked.map(fold));
  return needed.every((field) => folded.has(fold(field)));
}

/** All fields of both, without duplicates. */
export function joinFields(first: StoredFields, second: StoredFields): StoredFields {
  if (first === null || second === null) return null;
  const byFold = new Map([...first, ...second].map((field) => [fold(field), field]));
  return [...byFold.values()].sort();
}

export function readStoredFields(json: string | null): StoredFields {
  return json === null ? null : (JSON.parse(json) as readonly string[]);
}

export function writeFields(fields: StoredFields): string | null {
  return fields === null ? null : JSON.stringify(fields.toSorted());
}

function fold(field: string): string {
  return field.toLowerCase();
}
