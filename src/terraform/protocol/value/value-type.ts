/**
 * A type of Terraform's type system, as a plain value. The three kinds of number are the same to Terraform but differ
 * in TypeScript: `number` is a `number`, `int64` a `bigint`, `numeric` a number of any size and precision.
 */
export type Type = LeafType | ListType | SetType | MapType | TupleType | ObjectType;

export type LeafType = 'string' | 'bool' | 'number' | 'int64' | 'numeric' | 'dynamic';

/** Validation of the configuration refuses null elements unless `nulls` is set. */
export interface ListType {
  readonly list: Type;
  readonly nulls?: true;
}

export interface SetType {
  readonly set: Type;
  readonly nulls?: true;
}

export interface MapType {
  readonly map: Type;
  readonly nulls?: true;
}

export interface TupleType {
  readonly tuple: readonly Type[];
}

export interface ObjectType {
  readonly object: Readonly<Record<string, Type>>;
}

/** Terraform's JSON for a type: `"string"`, `["map","number"]`, `["object",{"a":"bool"}]`. */
export function jsonOfType(type: Type): string {
  return JSON.stringify(treeOfType(type));
}

function treeOfType(type: Type): unknown {
  if (typeof type === 'string') return type === 'int64' || type === 'numeric' ? 'number' : type;
  if ('list' in type) return ['list', treeOfType(type.list)];
  if ('set' in type) return ['set', treeOfType(type.set)];
  if ('map' in type) return ['map', treeOfType(type.map)];
  if ('tuple' in type) return ['tuple', type.tuple.map(treeOfType)];
  return [
    'object',
    Object.fromEntries(Object.entries(type.object).map(([name, each]) => [name, treeOfType(each)])),
  ];
}

/** Throws a SyntaxError if the text is not such JSON. */
export function typeFromJson(json: string): Type {
  return typeFromTree(JSON.parse(json));
}

function typeFromTree(tree: unknown): Type {
  if (tree === 'number') return 'numeric';
  if (tree === 'string' || tree === 'bool' || tree === 'dynamic') return tree;
  if (Array.isArray(tree)) {
    const [kind, inner] = tree as readonly unknown[];
    if (kind === 'list') return { list: typeFromTree(inner), nulls: true };
    if (kind === 'set') return { set: typeFromTree(inner), nulls: true };
    if (kind === 'map') return { map: typeFromTree(inner), nulls: true };
    if (kind === 'tuple' && Array.isArray(inner)) return { tuple: inner.map(typeFromTree) };
    if (kind === 'object' && typeof inner === 'object' && inner !== null) {
      return {
        object: Object.fromEntries(Object.entries(inner).map(([name, each]) => [name, typeFromTree(each)])),
      };
    }
  }
  throw new SyntaxError('not a Terraform type');
}
