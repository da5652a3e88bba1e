import { isRecord, isUnknown, type RecordValue, recordOf, type Value } from '../value/value.ts';

/** A state that Terraform can store even after a failure: unknown values become null. */
export function storable(state: RecordValue): RecordValue {
  return recordOf(Object.entries(state).map(([name, each]) => [name, knownPart(each)]));
}

function knownPart(value: Value): Value {
  if (isUnknown(value)) return null;
  if (Array.isArray(value)) return value.filter((each: Value) => !isUnknown(each)).map(knownPart);
  return isRecord(value) ? storable(value) : value;
}
