import { isNested } from '../schema/attribute.ts';
import type { BlockBody } from '../schema/schema.ts';
import { isUnknown } from '../value/unknown.ts';
import { isRecord, type RecordValue, recordOf, type Value } from '../value/value.ts';
import { memberOf } from './complete.ts';
import { mapElements } from './elements.ts';

/** A state that Terraform can store even after a failure: unknown and write-only values become null. */
export function storable(body: BlockBody, state: RecordValue): RecordValue {
  const attributes = Object.entries(body.attributes ?? {}).map(([name, attribute]) => {
    const value = attribute.writeOnly ? null : knownPart(memberOf(state, name));
    return [
      name,
      isNested(attribute)
        ? mapElements(attribute.nested, attribute, value, {}, (each) => storable(attribute, each.value))
        : value,
    ] as const;
  });
  const blocks = Object.entries(body.blocks ?? {}).map(
    ([name, block]) =>
      [
        name,
        mapElements(block.nesting, block, knownPart(memberOf(state, name)), {}, (each) =>
          storable(block, each.value),
        ),
      ] as const,
  );
  return recordOf([...attributes, ...blocks]);
}

function knownPart(value: Value): Value {
  if (isUnknown(value)) return null;
  if (Array.isArray(value)) return value.filter((each: Value) => !isUnknown(each)).map(knownPart);
  if (!isRecord(value)) return value;
  return recordOf(Object.entries(value).map(([name, each]) => [name, knownPart(each)]));
}
