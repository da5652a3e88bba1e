import type { Value } from '../value/value.ts';
import type { Type } from '../value/value-type.ts';
import type { PlanModifier } from './plan-modifier.ts';
import type { Validator } from './validator.ts';

export type Nesting = 'single' | 'list' | 'set' | 'map';

interface AttributeTraits {
  /** One or more sentences in Markdown, for the documentation. */
  readonly description: string;
  readonly required?: true;
  readonly optional?: true;
  readonly computed?: true;
  /** Never null after apply or read: handlers must set it, and plans announce it. */
  readonly nonNull?: true;
  readonly sensitive?: true;
  /** Only in the configuration: never planned, never stored. */
  readonly writeOnly?: true;
  /** Why it is deprecated, and what to use instead. */
  readonly deprecated?: string;
  readonly validate?: readonly Validator[];
  readonly plan?: readonly PlanModifier[];
  /** The value of an optional and computed attribute that the configuration does not set. */
  readonly default?: Value;
}

export interface PlainAttribute extends AttributeTraits {
  readonly type: Type;
}

/** An attribute made of attributes: one object, or a list, set or map of them. */
export interface NestedAttribute extends AttributeTraits {
  readonly nested: Nesting;
  readonly attributes: Attributes;
}

export type Attribute = PlainAttribute | NestedAttribute;

export type Attributes = Readonly<Record<string, Attribute>>;

export function isNested(attribute: Attribute): attribute is NestedAttribute {
  return 'nested' in attribute;
}
