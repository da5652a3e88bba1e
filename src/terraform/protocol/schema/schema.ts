import type { Attributes, Nesting } from './attribute.ts';
import type { ConfigRule } from './config-rule.ts';

export interface BlockBody {
  readonly attributes?: Attributes;
  readonly blocks?: Blocks;
}

/** A nested block. A `group` is one object that always exists; a `single` may be absent. */
export interface Block extends BlockBody {
  readonly nesting: Nesting | 'group';
  readonly description: string;
  readonly deprecated?: string;
  /** Only for lists and sets, and 1 for a required `single`. */
  readonly minItems?: number;
  readonly maxItems?: number;
}

export type Blocks = Readonly<Record<string, Block>>;

/** The inputs and outputs of a provider, resource, data source or ephemeral resource. */
export interface Schema extends BlockBody {
  /** The version of the stored form, only for resources; 0 if absent. */
  readonly version?: number;
  readonly description: string;
  readonly deprecated?: string;
  /** Rules between attributes. */
  readonly rules?: readonly ConfigRule[];
}

/** The schema itself, with its type narrowed so that `StateOf` and similar types can be derived from it. */
export function defineSchema<const S extends Schema>(schema: S): S {
  return schema;
}
