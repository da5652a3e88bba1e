import type { SentMessage } from '../messages/messages.ts';
import { typeBytes } from '../value/value.ts';
import {
  type Attribute,
  type Attributes,
  type Block,
  type BlockBody,
  isNested,
  type Schema,
} from './schema.ts';

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
