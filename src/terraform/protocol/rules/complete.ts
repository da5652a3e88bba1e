import { isNested } from '../schema/attribute.ts';
import type { Block, BlockBody } from '../schema/schema.ts';
import { isUnknown } from '../value/unknown.ts';
import { isRecord, type RecordValue, recordOf, type Value } from '../value/value.ts';

/**
 * A handler's value with every member that Terraform requires: missing attributes become null, missing blocks become
 * empty. Values of a wrong type stay, for the checks to find.
 */
export function completeValue(body: BlockBody, given: Value | undefined): Value {
  if (!isRecord(given)) return given ?? null;
  const attributes = Object.entries(body.attributes ?? {}).map(([name, attribute]) => {
    const value = memberOf(given, name);
    return [name, isNested(attribute) ? collected(attribute.nested, attribute, value) : value] as const;
  });
  const blocks = Object.entries(body.blocks ?? {}).map(
    ([name, block]) =>
      [name, collected(block.nesting, block, memberOf(given, name) ?? emptyOf(block))] as const,
  );
  const known = new Set([...attributes, ...blocks].map(([name]) => name));
  const others = Object.entries(given).filter(([name]) => !known.has(name));
  return recordOf([...attributes, ...blocks, ...others]);
}

export function memberOf(record: RecordValue | null | undefined, name: string): Value {
  return record !== null && record !== undefined && Object.hasOwn(record, name)
    ? (record[name] ?? null)
    : null;
}

function collected(nesting: Block['nesting'], body: BlockBody, value: Value): Value {
  if (value === null || isUnknown(value)) return value;
  if (nesting === 'single' || nesting === 'group') return completeValue(body, value);
  if (Array.isArray(value)) return value.map((each: Value) => completeValue(body, each));
  if (nesting === 'map' && isRecord(value))
    return recordOf(Object.entries(value).map(([key, each]) => [key, completeValue(body, each)]));
  return value;
}

function emptyOf({ nesting }: Block): Value {
  switch (nesting) {
    case 'single':
      return null;
    case 'group':
    case 'map':
      return {};
    case 'list':
    case 'set':
      return [];
    default:
      return nesting satisfies never;
  }
}
