import type { BlockBody } from '../schema/schema.ts';
import { type RecordValue, recordOf } from '../value/value.ts';
import { memberOf } from './complete.ts';

/** What configuration says of the write-only attributes of a body, those of nested objects left out. */
export function writeOnlyOf({ attributes = {} }: BlockBody, config: RecordValue): RecordValue {
  const names = Object.keys(attributes).filter((name) => attributes[name]?.writeOnly === true);
  return recordOf(names.map((name) => [name, memberOf(config, name)] as const));
}
