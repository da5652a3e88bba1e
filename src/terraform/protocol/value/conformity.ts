import type { Path } from './path.ts';
import { isRecord, isUnknown, type LeafType, type Type } from './value.ts';

export interface Fault {
  readonly path: Path;
  /** The fault at this position: `must be text`. */
  readonly fault: string;
}

/** The positions where a value does not have its type. Missing attributes of objects count as null. */
export function faultsOfType(type: Type, value: unknown, path: Path = []): readonly Fault[] {
  if (value === null || value === undefined || isUnknown(value)) return [];
  if (typeof type === 'string') {
    const fault = faultOfLeaf(type, value);
    return fault === null ? [] : [{ path, fault }];
  }
  if ('list' in type) return faultsOfElements(type.list, value, path);
  if ('set' in type) return faultsOfElements(type.set, value, path);
  if ('map' in type) return faultsOfMap(type.map, value, path);
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
    case 'number':
      return typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER
        ? null
        : 'must be a number of at most 15 digits';
    default:
      return type satisfies never;
  }
}

function faultsOfElements(element: Type, value: unknown, path: Path): readonly Fault[] {
  if (!Array.isArray(value)) return [{ path, fault: 'must be a list' }];
  return value.flatMap((each, index) => faultsOfElement(element, each, [...path, index]));
}

function faultsOfMap(element: Type, value: unknown, path: Path): readonly Fault[] {
  if (!isRecord(value)) return [{ path, fault: 'must be a map' }];
  return Object.entries(value).flatMap(([key, each]) => faultsOfElement(element, each, [...path, key]));
}

function faultsOfElement(element: Type, value: unknown, path: Path): readonly Fault[] {
  return value === null ? [{ path, fault: 'must not be null' }] : faultsOfType(element, value, path);
}
