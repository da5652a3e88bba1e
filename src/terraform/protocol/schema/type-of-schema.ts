import type { ObjectType, Type } from '../value/value-type.ts';
import { type Attribute, isNested, type Nesting } from './attribute.ts';
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
  return isNested(attribute) ? collected(attribute.nested, typeOfBody(attribute)) : attribute.type;
}

export function typeOfBlock(block: Block): Type {
  return collected(block.nesting, typeOfBody(block));
}

function collected(nesting: Nesting | 'group', element: ObjectType): Type {
  switch (nesting) {
    case 'single':
    case 'group':
      return element;
    case 'list':
      return { list: element };
    case 'set':
      return { set: element };
    case 'map':
      return { map: element };
    default:
      return nesting satisfies never;
  }
}
