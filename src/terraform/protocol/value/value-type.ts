/** The types of Terraform's type system that the provider uses, as plain values. */
export type Type = LeafType | ListType | SetType | MapType | ObjectType;

export type LeafType = 'string' | 'bool' | 'number';

/** Validation of the configuration refuses null elements. */
export interface ListType {
  readonly list: Type;
}

export interface SetType {
  readonly set: Type;
}

export interface MapType {
  readonly map: Type;
}

export interface ObjectType {
  readonly object: Readonly<Record<string, Type>>;
}

/** Terraform's JSON for a type, in UTF-8: `"string"`, `["map","number"]`, `["object",{"a":"bool"}]`. */
export function typeBytes(type: Type): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(treeOfType(type)));
}

function treeOfType(type: Type): unknown {
  if (typeof type === 'string') return type;
  if ('list' in type) return ['list', treeOfType(type.list)];
  if ('set' in type) return ['set', treeOfType(type.set)];
  if ('map' in type) return ['map', treeOfType(type.map)];
  return [
    'object',
    Object.fromEntries(Object.entries(type.object).map(([name, each]) => [name, treeOfType(each)])),
  ];
}
