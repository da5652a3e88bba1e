/**
 * The types that expressions know. `unknown` is the item type of an empty list; `any` stands for one type in a
 * signature.
 */
export type CelType =
  | { readonly kind: 'scalar'; readonly name: ScalarName }
  | { readonly kind: 'list'; readonly of: CelType }
  | { readonly kind: 'map'; readonly key: CelType; readonly of: CelType }
  | { readonly kind: 'object'; readonly name: string }
  | { readonly kind: 'any'; readonly name: string }
  | { readonly kind: 'unknown' };

export const scalarNames = ['bool', 'int', 'double', 'string', 'timestamp', 'duration'] as const;
export type ScalarName = (typeof scalarNames)[number];

export const unknownType: CelType = { kind: 'unknown' };

export function scalar(name: ScalarName): CelType {
  return { kind: 'scalar', name };
}

export function listOf(of: CelType): CelType {
  return { kind: 'list', of };
}

export function mapOf(key: CelType, of: CelType): CelType {
  return { kind: 'map', key, of };
}

export function isScalar(type: CelType, name: ScalarName): boolean {
  return type.kind === 'scalar' && type.name === name;
}

/** How deep lists and maps nest in the type. */
export function depthOf(type: CelType): number {
  return type.kind === 'list' || type.kind === 'map' ? 1 + depthOf(type.of) : 0;
}

export function showType(type: CelType): string {
  switch (type.kind) {
    case 'scalar':
    case 'object':
    case 'any':
      return type.name;
    case 'list':
      return type.of.kind === 'unknown' ? 'list' : `list of ${showType(type.of)}`;
    case 'map':
      return type.of.kind === 'unknown' ? 'map' : `map of ${showType(type.key)} to ${showType(type.of)}`;
    case 'unknown':
      return 'nothing';
  }
}

/** Reads `int`, `list<T>` or `map<K, V>`; single capital letters stand for any type. */
export function readType(text: string): CelType {
  const list = /^list<(.+)>$/.exec(text);
  if (list !== null) return listOf(readType(list[1] as string));
  const map = /^map<(\w+), (\w+)>$/.exec(text);
  if (map !== null) return mapOf(readType(map[1] as string), readType(map[2] as string));
  if (/^[A-Z]$/.test(text)) return { kind: 'any', name: text };
  const name = scalarNames.find((each) => each === text);
  if (name === undefined) throw new Error(`no type: ${text}`);
  return scalar(name);
}

export type Bindings = Map<string, CelType>;

/** Does a value of type `actual` fit a declaration of type `expected`? Binds type parameters. */
export function fits(expected: CelType, actual: CelType, bindings: Bindings): boolean {
  if (expected.kind === 'any') {
    const joined = joinTypes(bindings.get(expected.name) ?? unknownType, actual);
    if (joined !== undefined) bindings.set(expected.name, joined);
    return joined !== undefined;
  }
  if (actual.kind === 'unknown') return true;
  if (expected.kind === 'list') return actual.kind === 'list' && fits(expected.of, actual.of, bindings);
  if (expected.kind === 'map') {
    return (
      actual.kind === 'map' &&
      fits(expected.key, actual.key, bindings) &&
      fits(expected.of, actual.of, bindings)
    );
  }
  return joinTypes(expected, actual) !== undefined;
}

/** The common type of both, if there is one. */
export function joinTypes(a: CelType, b: CelType): CelType | undefined {
  if (a.kind === 'unknown') return b;
  if (b.kind === 'unknown') return a;
  if (a.kind === 'list' && b.kind === 'list') {
    const of = joinTypes(a.of, b.of);
    return of && listOf(of);
  }
  if (a.kind === 'map' && b.kind === 'map') {
    const key = joinTypes(a.key, b.key);
    const of = joinTypes(a.of, b.of);
    return key && of && mapOf(key, of);
  }
  const same = a.kind === b.kind && 'name' in a && 'name' in b && a.name === b.name;
  return same ? a : undefined;
}

/** Replaces the type parameters that the bindings define. */
export function bound(type: CelType, bindings: Bindings): CelType {
  switch (type.kind) {
    case 'any':
      return bindings.get(type.name) ?? unknownType;
    case 'list':
      return listOf(bound(type.of, bindings));
    case 'map':
      return mapOf(bound(type.key, bindings), bound(type.of, bindings));
    default:
      return type;
  }
}
