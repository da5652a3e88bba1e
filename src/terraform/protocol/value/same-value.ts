import { isUnknown } from './unknown.ts';
import { isRecord, type RecordValue, type Value } from './value.ts';
import type { LeafType, Type } from './value-type.ts';

/**
 * Does Terraform consider two values of one type equal? Sets have no order, texts are compared in Unicode's composed
 * form, and numbers by value; two unknown values are equal.
 */
export function isSameValue(type: Type, a: Value, b: Value): boolean {
  if (a === b) return true;
  if (a === null || b === null) return false;
  if (isUnknown(a) || isUnknown(b)) return isUnknown(a) && isUnknown(b);
  if (typeof type === 'string') return isSameLeaf(type, a, b);
  if ('list' in type) return isSameList(type.list, a as readonly Value[], b as readonly Value[]);
  if ('set' in type) return keyOfValue(type, a) === keyOfValue(type, b);
  if ('map' in type) return isSameMap(type.map, a as RecordValue, b as RecordValue);
  const x = a as RecordValue;
  const y = b as RecordValue;
  return Object.entries(type.object).every(([name, each]) =>
    isSameValue(each, x[name] ?? null, y[name] ?? null),
  );
}

function isSameLeaf(type: LeafType, a: Value, b: Value): boolean {
  return type !== 'bool' && keyOfValue(type, a) === keyOfValue(type, b);
}

function isSameList(element: Type, a: readonly Value[], b: readonly Value[]): boolean {
  return a.length === b.length && a.every((each, index) => isSameValue(element, each, b[index] as Value));
}

function isSameMap(element: Type, a: RecordValue, b: RecordValue): boolean {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isSameValue(element, a[name] as Value, b[name] as Value))
  );
}

/** A text that is equal for two values of one type exactly if the values are equal. */
function keyOfValue(type: Type, value: Value): string {
  if (value === null) return '~';
  if (isUnknown(value)) return '?';
  if (typeof value === 'string') return JSON.stringify(value.normalize());
  if (typeof value === 'boolean' || typeof value === 'number') return String(value);
  if (Array.isArray(value)) return keyOfElements(type, value as readonly Value[]);
  return isRecord(value) ? keyOfRecord(type, value) : '';
}

function keyOfElements(type: Type, elements: readonly Value[]): string {
  if (typeof type === 'object' && 'set' in type) {
    return `<${[...new Set(elements.map((each) => keyOfValue(type.set, each)))].sort().join()}>`;
  }
  const { list } = type as { readonly list: Type };
  return `[${elements.map((each) => keyOfValue(list, each)).join()}]`;
}

function keyOfRecord(type: Type, record: RecordValue): string {
  const typeOf = (name: string): Type =>
    typeof type === 'object' && 'object' in type
      ? (type.object[name] ?? 'string')
      : (type as { readonly map: Type }).map;
  const members = Object.keys(record).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${keyOfValue(typeOf(name), record[name] as Value)}`).join()}}`;
}
