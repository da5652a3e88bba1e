import { type BlockBody, isNested, typeOfBody } from '../schema/schema.ts';
import { type Fault, faultsOfType } from '../value/conformity.ts';
import type { Path } from '../value/path.ts';
import { isRecord, isUnknown, type RecordValue, recordOf, type Value } from '../value/value.ts';

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
