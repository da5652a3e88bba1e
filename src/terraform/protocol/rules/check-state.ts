import { type BlockBody, isNested, typeOfBody } from '../schema/schema.ts';
import { type Fault, faultsOfType } from '../value/conformity.ts';
import type { Path } from '../value/path.ts';
import { isRecord, isUnknown, type RecordValue, type Value } from '../value/value.ts';
import { memberOf } from './complete.ts';

export interface StateRules {
  /** Just after an import, no value is required yet. */
  readonly isPartial?: boolean;
}

/** Violations of its schema in a value that will be stored. */
export function faultsOfState(body: BlockBody, state: RecordValue, rules: StateRules = {}): readonly Fault[] {
  const ofType = faultsOfType(typeOfBody(body), state);
  if (ofType.length > 0) return ofType;
  return [...faultsOfUnknown(state, []), ...(rules.isPartial ? [] : faultsOfNull(body, state, []))];
}

function faultsOfUnknown(value: Value, path: Path): readonly Fault[] {
  if (isUnknown(value)) return [{ path, fault: 'must be known after the apply' }];
  if (Array.isArray(value))
    return value.flatMap((each: Value, index) => faultsOfUnknown(each, [...path, index]));
  if (isRecord(value))
    return Object.entries(value).flatMap(([name, each]) => faultsOfUnknown(each, [...path, name]));
  return [];
}

function faultsOfNull(body: BlockBody, state: RecordValue, path: Path): readonly Fault[] {
  return Object.entries(body.attributes ?? {}).flatMap(([name, attribute]) => {
    const value = memberOf(state, name);
    const here = [...path, name];
    if (value === null)
      return attribute.nonNull
        ? [{ path: here, fault: 'must not be null, because its schema does not allow null' }]
        : [];
    return isNested(attribute)
      ? Object.entries(value as RecordValue).flatMap(([key, each]) =>
          faultsOfNull(attribute, each as RecordValue, [
            ...here,
            attribute.nested === 'list' ? Number(key) : key,
          ]),
        )
      : [];
  });
}
