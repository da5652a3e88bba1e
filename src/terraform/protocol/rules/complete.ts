import { type BlockBody, isNested } from '../schema/schema.ts';
import { isRecord, type RecordValue, recordOf, type Value } from '../value/value.ts';

/**
 * A handler's value with every attribute that Terraform requires: missing attributes become null, missing blocks become
 * empty. Values of a wrong type are kept, for the checks to find.
 */
export function completeValue(body: BlockBody, given: Value | undefined): Value {
  if (!isRecord(given)) return given ?? null;
  const attributes = Object.entries(body.attributes ?? {}).map(([name, attribute]) => {
    const value = memberOf(given, name);
    return [name, isNested(attribute) ? completeElements(attribute, value) : value] as const;
  });
  const blocks = Object.entries(body.blocks ?? {}).map(([name, block]) => {
    const value = memberOf(given, name);
    if (block.nesting === 'single') return [name, completeValue(block, value)] as const;
    return [name, value === null ? [] : completeElements(block, value)] as const;
  });
  const known = new Set([...attributes, ...blocks].map(([name]) => name));
  const others = Object.entries(given).filter(([name]) => !known.has(name));
  return recordOf([...attributes, ...blocks, ...others]);
}

export function memberOf(record: RecordValue | null | undefined, name: string): Value {
  return record !== null && record !== undefined && Object.hasOwn(record, name)
    ? (record[name] ?? null)
    : null;
}

function completeElements(body: BlockBody, value: Value): Value {
  if (Array.isArray(value)) return value.map((each: Value) => completeValue(body, each));
  if (!isRecord(value)) return value;
  return recordOf(Object.entries(value).map(([key, each]) => [key, completeValue(body, each)]));
}
