import type { SentMessage } from '../messages/messages.ts';
import { jsonOfType } from '../value/value-type.ts';
import { type Attribute, type Attributes, isNested } from './attribute.ts';
import type { Block, BlockBody, Schema } from './schema.ts';

/** Markdown, which all our descriptions use. */
export const markdownKind = 1;
const blockNestings = { single: 1, list: 2, set: 3, map: 4, group: 5 } as const;
const objectNestings = { single: 1, list: 2, set: 3, map: 4 } as const;

const encoder = new TextEncoder();

export function schemaMessage(schema: Schema): SentMessage<'Schema'> {
  const version = BigInt(schema.version ?? 0);
  return { version, block: { version, ...bodyMessage(schema), ...described(schema) } };
}

/** A type as the bytes of its JSON. */
export function typeBytes(type: Parameters<typeof jsonOfType>[0]): Uint8Array {
  return encoder.encode(jsonOfType(type));
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
    writeOnly: attribute.writeOnly === true,
  }));
}

function shapeOf(attribute: Attribute): Pick<SentMessage<'Attribute'>, 'type' | 'nestedType'> {
  if (!isNested(attribute)) return { type: typeBytes(attribute.type) };
  return {
    nestedType: {
      attributes: attributeMessages(attribute.attributes),
      nesting: objectNestings[attribute.nested],
    },
  };
}

function blockMessage(typeName: string, block: Block): SentMessage<'NestedBlock'> {
  return {
    typeName,
    block: { ...bodyMessage(block), ...described(block) },
    nesting: blockNestings[block.nesting],
    minItems: BigInt(block.minItems ?? 0),
    maxItems: BigInt(block.maxItems ?? 0),
  };
}

function described(thing: { readonly description: string; readonly deprecated?: string }) {
  return {
    description: thing.description,
    descriptionKind: markdownKind,
    deprecated: thing.deprecated !== undefined,
    deprecationMessage: thing.deprecated ?? '',
  };
}
