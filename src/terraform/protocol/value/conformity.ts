import { isNumeric, type Numeric, textOfNumeric } from './numeric.ts';
import type { Path } from './path.ts';
import { isUnknown } from './unknown.ts';
import { Dynamic, isRecord } from './value.ts';
import type { LeafType, Type } from './value-type.ts';

export interface Fault {
  readonly path: Path;
  /** The fault at this position: `must be text`. */
  readonly fault: string;
}

/** The positions where a value does not have its type. Missing members of objects count as null. */
export function faultsOfType(type: Type, value: unknown, path: Path = []): readonly Fault[] {
  if (value === null || value === undefined || isUnknown(value)) return [];
  if (typeof type === 'string') {
    const fault = faultOfLeaf(type, value);
    return fault === null ? [] : [{ path, fault }];
  }
  if ('list' in type) return faultsOfElements(type.list, type.nulls === true, value, path);
  if ('set' in type) return faultsOfElements(type.set, type.nulls === true, value, path);
  if ('map' in type) return faultsOfMap(type.map, type.nulls === true, value, path);
  if ('tuple' in type) {
    if (!Array.isArray(value) || value.length !== type.tuple.length)
      return [{ path, fault: `must be a list of ${type.tuple.length} values` }];
    return type.tuple.flatMap((each, index) => faultsOfType(each, value[index], [...path, index]));
  }
  if (!isRecord(value)) return [{ path, fault: 'must be an object' }];
  const known = Object.entries(type.object);
  return [
    ...known.flatMap(([name, each]) => faultsOfType(each, value[name], [...path, name])),
    ...Object.keys(value)
      .filter((name) => !Object.hasOwn(type.object, name))
      .map((name) => ({ path: [...path, name], fault: 'is not in the schema' })),
  ];
}

function faultOfLeaf(type: LeafType, value: unknown): string | null {
  switch (type) {
    case 'string':
      return typeof value === 'string' ? null : 'must be text';
    case 'bool':
      return typeof value === 'boolean' ? null : 'must be true or false';
    case 'numeric':
      return isNumeric(value) ? null : 'must be a number';
    case 'int64':
      return isNumeric(value) && isInt64(value) ? null : 'must be a whole number of at most 64 bits';
    case 'number':
      return typeof value === 'number' && Number.isFinite(value)
        ? null
        : 'must be a number of at most 15 digits';
    case 'dynamic':
      return value instanceof Dynamic ? null : 'must include its type';
    default:
      return type satisfies never;
  }
}

function isInt64(value: Numeric): boolean {
  const text = textOfNumeric(value);
  return /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}

function faultsOfElements(element: Type, nulls: boolean, value: unknown, path: Path): readonly Fault[] {
  if (!Array.isArray(value)) return [{ path, fault: 'must be a list' }];
  return value.flatMap((each, index) => faultsOfElement(element, nulls, each, [...path, index]));
}

function faultsOfMap(element: Type, nulls: boolean, value: unknown, path: Path): readonly Fault[] {
  if (!isRecord(value)) return [{ path, fault: 'must be a map' }];
  return Object.entries(value).flatMap(([key, each]) =>
    faultsOfElement(element, nulls, each, [...path, key]),
  );
}

function faultsOfElement(element: Type, nulls: boolean, value: unknown, path: Path): readonly Fault[] {
  return value === null && !nulls
    ? [{ path, fault: 'must not be null' }]
    : faultsOfType(element, value, path);
}
