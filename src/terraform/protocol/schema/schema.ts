import { grouped } from '../../../core/lib/words.ts';
import type { SentMessage } from '../messages/messages.ts';
import { type ObjectType, type Type, typeBytes, type Value } from '../value/value.ts';
import type { ConfigRule } from './config-rule.ts';
import type { PlanModifier } from './plan-modifier.ts';

/** A rule for one attribute. Only called for values that are known and not null. */
export interface Validator {
  /** For the documentation: `one of "a", "b"`. */
  readonly description: string;
  /** Null, or a requirement: `must be one of "a", "b"`. Messages never show the value. */
  check(value: unknown): string | null;
}

export function validator<T>(description: string, holds: (value: T) => boolean): Validator {
  return { description, check: (value) => (holds(value as T) ? null : `must be ${description}`) };
}

export function oneOf(...choices: readonly string[]): Validator {
  const listed = choices.map((each) => JSON.stringify(each)).join(', ');
  return validator<string>(`one of ${listed}`, (value) => choices.includes(value));
}

/** `description` describes what matches: `a decimal number`. */
export function matching(pattern: RegExp, description: string): Validator {
  return validator<string>(description, (value) =>
    new RegExp(pattern, pattern.flags.replace(/[gy]/g, '')).test(value),
  );
}

/** Counts code points. */
export function lengthBetween(least: number, most: number): Validator {
  return validator<string>(`${least} to ${grouped(most)} characters`, (value) => {
    const { length } = Array.from(value);
    return length >= least && length <= most;
  });
}

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

/** A result that is never null. */
export function computedAttribute<const T extends Type>(type: T, description: string) {
  return { type, computed: true, nonNull: true, description } as const;
}

/** A result that may be null. */
export function nullableAttribute<const T extends Type>(type: T, description: string) {
  return { type, computed: true, description } as const;
}

export type Attributes = Readonly<Record<string, Attribute>>;

export function isNested(attribute: Attribute): attribute is NestedAttribute {
  return 'nested' in attribute;
}

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

const known = new WeakMap<BlockBody, ObjectType>();

/** The type of a whole block: an object of all its attributes and blocks. */
export function typeOfBody(body: BlockBody): ObjectType {
  const found = known.get(body);
  if (found !== undefined) return found;
  const attributes = Object.entries(body.attributes ?? {}).map(
    ([name, each]) => [name, typeOfAttribute(each)] as const,
  );
  const blocks = Object.entries(body.blocks ?? {}).map(([name, each]) => [name, typeOfBlock(each)] as const);
  const type = { object: Object.fromEntries([...attributes, ...blocks]) };
  known.set(body, type);
  return type;
}

export function typeOfAttribute(attribute: Attribute): Type {
  if (!isNested(attribute)) return attribute.type;
  const element = typeOfBody(attribute);
  return attribute.nested === 'list' ? { list: element } : { map: element };
}

function typeOfBlock(block: Block): Type {
  const element = typeOfBody(block);
  return block.nesting === 'list' ? { list: element } : element;
}

/** Markdown, which all our descriptions use. */
export const markdownKind = 1;
const nestings = { single: 1, list: 2, map: 4 } as const;

export function schemaMessage(schema: Schema): SentMessage<'Schema'> {
  return { block: { ...bodyMessage(schema), ...described(schema) } };
}

function bodyMessage(body: BlockBody): SentMessage<'Block'> {
  return {
    attributes: attributeMessages(body.attributes ?? {}),
    blockTypes: Object.entries(body.blocks ?? {}).map(([name, block]) => blockMessage(name, block)),
  };
}

function attributeMessages(attributes: Attributes): readonly SentMessage<'Attribute'>[] {
  return Object.entries(attributes).map(([name, attribute]) => ({
    name,
    ...shapeOf(attribute),
    ...described(attribute),
    required: attribute.required === true,
    optional: attribute.optional === true,
    computed: attribute.computed === true,
    sensitive: attribute.sensitive === true,
  }));
}

function shapeOf(attribute: Attribute): Pick<SentMessage<'Attribute'>, 'type' | 'nestedType'> {
  if (!isNested(attribute)) return { type: typeBytes(attribute.type) };
  return {
    nestedType: {
      attributes: attributeMessages(attribute.attributes),
      nesting: nestings[attribute.nested],
    },
  };
}

function blockMessage(typeName: string, block: Block): SentMessage<'NestedBlock'> {
  return {
    typeName,
    block: { ...bodyMessage(block), ...described(block) },
    nesting: nestings[block.nesting],
  };
}

function described({ description }: { readonly description: string }) {
  return { description, descriptionKind: markdownKind };
}
