import { isUnknown, type ListType, type MapType, type RecordValue, type Type, type Value } from './value.ts';

/**
 * Does Terraform consider two values of one type equal? Sets have no order, texts are compared in Unicode's composed
 * form, and numbers by value; two unknown values are equal.
 */
export function isSameValue(type: Type, a: Value, b: Value): boolean {
  return a === b || keyOfValue(type, a) === keyOfValue(type, b);
}

/** A text that is equal for two values of one type exactly if the values are equal. */
function keyOfValue(type: Type, value: Value): string {
  if (value === null) return '~';
  if (isUnknown(value)) return '?';
  if (typeof value === 'string') return JSON.stringify(value.normalize());
  if (typeof value !== 'object') return String(value);
  return Array.isArray(value)
    ? keyOfElements(type, value as readonly Value[])
    : keyOfRecord(type, value as RecordValue);
}

function keyOfElements(type: Type, elements: readonly Value[]): string {
  if (typeof type === 'object' && 'set' in type) {
    return `<${[...new Set(elements.map((each) => keyOfValue(type.set, each)))].sort().join()}>`;
  }
  return `[${elements.map((each) => keyOfValue((type as ListType).list, each)).join()}]`;
}

function keyOfRecord(type: Type, record: RecordValue): string {
  const members =
    typeof type === 'object' && 'object' in type
      ? Object.entries(type.object)
      : Object.keys(record).map((name) => [name, (type as MapType).map] as const);
  const keys = members.map(([name, of]) => `${JSON.stringify(name)}:${keyOfValue(of, record[name] ?? null)}`);
  return `{${keys.sort().join()}}`;
}
