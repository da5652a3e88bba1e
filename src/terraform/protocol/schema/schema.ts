import type { Attributes, PlainAttribute } from './attribute.ts';
import type { ConfigRule } from './config-rule.ts';

export interface BlockBody {
  readonly attributes?: Attributes;
  readonly blocks?: Blocks;
}

/** A nested block, which only configuration sets: a `single` may be absent. */
export interface Block {
  readonly nesting: 'single' | 'list';
  readonly description: string;
  readonly attributes?: Readonly<Record<string, ConfiguredAttribute>>;
  readonly blocks?: Blocks;
}

type ConfiguredAttribute = Pick<
  PlainAttribute,
  'type' | 'description' | 'required' | 'optional' | 'sensitive' | 'validate'
>;

export type Blocks = Readonly<Record<string, Block>>;

/** The inputs and outputs of a provider, resource, data source or ephemeral resource. */
export interface Schema extends BlockBody {
  readonly description: string;
  /** Rules between attributes. */
  readonly rules?: readonly ConfigRule[];
}

/** The schema itself, with its type narrowed so that `StateOf` and similar types can be derived from it. */
export function defineSchema<const S extends Schema>(schema: S): S {
  return schema;
}
