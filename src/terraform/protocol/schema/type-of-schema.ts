import type { ObjectType, Type } from '../value/value-type.ts';
import { type Attribute, isNested } from './attribute.ts';
import type { Block, BlockBody } from './schema.ts';

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
