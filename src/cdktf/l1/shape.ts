/** A Terraform type, as the provider's schema writes it. */
export type ValueType =
  | 'string'
  | 'bool'
  | 'number'
  | { readonly list: ValueType }
  | { readonly set: ValueType }
  | { readonly map: ValueType };

interface Traits {
  readonly required?: true;
  readonly optional?: true;
  readonly computed?: true;
  readonly sensitive?: true;
}

/** An attribute with a single value. */
export interface PlainShape extends Traits {
  readonly type: ValueType;
}

export type Nesting = 'single' | 'list' | 'set' | 'map';

/** An attribute with nested attributes, which is read-only. */
export interface NestedShape {
  readonly nested: Nesting;
  readonly computed: true;
  readonly attributes: AttributeShapes;
}

export type AttributeShapes = Readonly<Record<string, PlainShape | NestedShape>>;

export interface BodyShape {
  readonly attributes?: AttributeShapes;
  readonly blocks?: Readonly<Record<string, BlockShape>>;
}

export interface BlockShape extends BodyShape {
  readonly nesting: Nesting | 'group';
  readonly minItems?: number;
  readonly maxItems?: number;
}

/**
 * The inputs and outputs of a construct, by their Terraform names. A test compares them with the provider's own schema,
 * in both directions.
 */
export interface Shape extends BodyShape {
  readonly attributes: AttributeShapes;
}

/** `host_id` as `hostId`. */
export type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

export function camel(name: string): string {
  return name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
}

/** Whether configuration can set it. */
export function isArgument(shape: PlainShape | NestedShape): shape is PlainShape {
  return 'type' in shape && (shape.required === true || shape.optional === true);
}
