import { isNested } from '../schema/attribute.ts';
import type { Block, BlockBody } from '../schema/schema.ts';
import { typeOfBody } from '../schema/type-of-schema.ts';
import { type Fault, faultsOfType } from '../value/conformity.ts';
import type { Path } from '../value/path.ts';
import { isUnknown } from '../value/unknown.ts';
import { isRecord, type RecordValue, type Value } from '../value/value.ts';
import { memberOf } from './complete.ts';
import { elementsOf } from './elements.ts';

export interface StateRules {
  /** Just after an import or a move, no value is required yet. */
  readonly isPartial?: boolean;
}

/** Violations of its schema in a value that will be stored. */
export function faultsOfState(body: BlockBody, state: RecordValue, rules: StateRules = {}): readonly Fault[] {
  const ofType = faultsOfType(typeOfBody(body), state);
  return ofType.length > 0
    ? ofType
    : [...faultsOfUnknown(state, []), ...faultsOfMembers(body, state, rules, [])];
}

function faultsOfUnknown(value: Value, path: Path): readonly Fault[] {
  if (isUnknown(value)) return [{ path, fault: 'must be known after the apply' }];
  if (Array.isArray(value))
    return value.flatMap((each: Value, index) => faultsOfUnknown(each, [...path, index]));
  if (isRecord(value))
    return Object.entries(value).flatMap(([name, each]) => faultsOfUnknown(each, [...path, name]));
  return [];
}

function faultsOfMembers(
  body: BlockBody,
  state: RecordValue,
  rules: StateRules,
  path: Path,
): readonly Fault[] {
  const inside = (nesting: Block['nesting'], inner: BlockBody, name: string): readonly Fault[] =>
    elementsOf(nesting, inner, memberOf(state, name), {}).flatMap((element) =>
      faultsOfMembers(inner, element.value, rules, [...path, name, ...element.path]),
    );
  const attributes = Object.entries(body.attributes ?? {}).flatMap(([name, attribute]) => {
    const value = memberOf(state, name);
    const here = [...path, name];
    if (attribute.writeOnly)
      return value === null ? [] : [{ path: here, fault: 'is write-only, so it must not be stored' }];
    if (value === null)
      return attribute.nonNull && !rules.isPartial
        ? [{ path: here, fault: 'must not be null, because its schema does not allow null' }]
        : [];
    return isNested(attribute) ? inside(attribute.nested, attribute, name) : [];
  });
  return [
    ...attributes,
    ...Object.entries(body.blocks ?? {}).flatMap(([name, block]) => inside(block.nesting, block, name)),
  ];
}
