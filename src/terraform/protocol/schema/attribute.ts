import type { Value } from '../value/value.ts';
import type { Type } from '../value/value-type.ts';
import type { PlanModifier } from './plan-modifier.ts';
import type { Validator } from './validator.ts';

interface AttributeTraits {
  /** One or more sentences in Markdown, for the documentation. */
  readonly description: string;
  readonly required?: true;
  readonly optional?: true;
  readonly computed?: true;
  /** Never null after apply or read: handlers must set it, and plans announce it. */
  readonly nonNull?: true;
  readonly sensitive?: true;
  readonly validate?: readonly Validator[];
  readonly plan?: readonly PlanModifier[];
  /** The value of an optional and computed attribute that the configuration does not set. */
  readonly default?: Value;
}

export interface PlainAttribute extends AttributeTraits {
  readonly type: Type;
}

/** A result made of attributes: a list or a map of objects. Configuration has blocks instead. */
export interface NestedAttribute extends AttributeTraits {
  readonly nested: 'list' | 'map';
  readonly attributes: Attributes;
  readonly computed: true;
  readonly required?: never;
  readonly optional?: never;
  readonly validate?: never;
  readonly plan?: never;
  readonly default?: never;
}

export type Attribute = PlainAttribute | NestedAttribute;

export type Attributes = Readonly<Record<string, Attribute>>;

export function isNested(attribute: Attribute): attribute is NestedAttribute {
  return 'nested' in attribute;
}
