import type { Attributes, Nesting } from './attribute.ts';
import type { ConfigRule } from './config-rule.ts';

export interface BlockBody {
  readonly attributes?: Attributes;
  readonly blocks?: Blocks;
}

/** A nested block. A `group` is one object that is always there; a `single` may be absent. */
export interface Block extends BlockBody {
  readonly nesting: Nesting | 'group';
  readonly description: string;
  readonly deprecated?: string;
  /** Only for lists and sets, and 1 for a `single` that must be there. */
  readonly minItems?: number;
  readonly maxItems?: number;
}

export type Blocks = Readonly<Record<string, Block>>;

/** What a provider, resource, data source or ephemeral resource takes and gives. */
export interface Schema extends BlockBody {
  /** The version of the stored form, of resources only; 0 when absent. */
  readonly version?: number;
  readonly description: string;
  readonly deprecated?: string;
  /** Rules between attributes. */
  readonly rules?: readonly ConfigRule[];
}

/** The schema as it is, with its type narrowed to just what it says, so that `StateOf` and its kin can be read off. */
export function defineSchema<const S extends Schema>(schema: S): S {
  return schema;
}
