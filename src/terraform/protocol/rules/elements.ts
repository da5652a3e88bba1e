import type { Block, BlockBody } from '../schema/schema.ts';
import { typeOfAttribute, typeOfBody } from '../schema/type-of-schema.ts';
import type { Path } from '../value/path.ts';
import { isSameValue, keyOfValue } from '../value/same-value.ts';
import { isUnknown } from '../value/unknown.ts';
import { isRecord, type RecordValue, recordOf, type Value } from '../value/value.ts';
import { memberOf } from './complete.ts';

/** One object of a nested attribute or block, with its counterparts in other values of the same collection. */
export interface Element<Others extends string> {
  /** The path within its collection; empty for sets, whose elements have no address. */
  readonly path: Path;
  readonly value: RecordValue;
  readonly others: Readonly<Record<Others, RecordValue | null>>;
}

type Nesting = Block['nesting'];

/** The objects in a collection: none if it is null or unknown. */
export function elementsOf<Others extends string>(
  nesting: Nesting,
  body: BlockBody,
  value: Value,
  others: Readonly<Record<Others, Value>>,
): readonly Element<Others>[] {
  const pair = (find: (collection: Value) => Value | undefined) =>
    Object.fromEntries(
      Object.entries<Value>(others).map(([name, each]) => [name, recordOrNull(find(each))]),
    ) as Record<Others, RecordValue | null>;
  if (value === null || isUnknown(value)) return [];
  if (nesting === 'single' || nesting === 'group')
    return isRecord(value) ? [{ path: [], value, others: pair((each) => each) }] : [];
  if (nesting === 'map') {
    return Object.entries(isRecord(value) ? value : {}).flatMap(([key, each]) =>
      isRecord(each)
        ? [{ path: [key], value: each, others: pair((all) => (isRecord(all) ? memberOf(all, key) : null)) }]
        : [],
    );
  }
  const all = Array.isArray(value) ? (value as readonly Value[]) : [];
  return all.filter(isRecord).map((each, index) => ({
    path: nesting === 'list' ? [index] : [],
    value: each,
    others: pair((collection) =>
      nesting === 'list'
        ? (collection as readonly Value[] | null)?.[index]
        : counterpart(body, each, collection),
    ),
  }));
}

/** A new collection with each of its objects changed. */
export function mapElements<Others extends string>(
  nesting: Nesting,
  body: BlockBody,
  value: Value,
  others: Readonly<Record<Others, Value>>,
  change: (element: Element<Others>) => RecordValue,
): Value {
  if (value === null || isUnknown(value)) return value;
  const changed = elementsOf(nesting, body, value, others).map(
    (element) => [element.path, change(element)] as const,
  );
  if (nesting === 'single' || nesting === 'group') return changed[0]?.[1] ?? value;
  if (nesting === 'map') return recordOf(changed.map(([path, each]) => [String(path[0]), each]));
  return changed.map(([, each]) => each);
}

/**
 * The matching element of another set: the first that equals it in everything that both know and that configuration can
 * set.
 */
function counterpart(body: BlockBody, element: RecordValue, set: Value): Value | undefined {
  if (!Array.isArray(set)) return undefined;
  const candidates = (set as readonly Value[]).filter(isRecord);
  const key = keyOfValue(typeOfBody(body), element);
  return (
    candidates.find((each) => keyOfValue(typeOfBody(body), each) === key) ??
    candidates.find((each) => agree(body, element, each))
  );
}

function agree(body: BlockBody, a: RecordValue, b: RecordValue): boolean {
  return Object.entries(body.attributes ?? {}).every(([name, attribute]) => {
    const x = memberOf(a, name);
    const y = memberOf(b, name);
    if (attribute.computed && (x === null || y === null || isUnknown(x) || isUnknown(y))) return true;
    return isSameValue(typeOfAttribute(attribute), x, y);
  });
}

function recordOrNull(value: Value | undefined): RecordValue | null {
  return isRecord(value) ? value : null;
}
