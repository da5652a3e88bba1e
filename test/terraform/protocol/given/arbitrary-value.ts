import fc from 'fast-check';
import {
  type LeafType,
  recordOf,
  type Type,
  unknownNotNull,
  unknownValue,
  type Value,
} from '../../../../src/terraform/protocol/value/value.ts';

const memberName = fc.constantFrom('a', 'b', 'c', 'constructor', '__proto__', 'to_string');

const leafType: fc.Arbitrary<LeafType> = fc.constantFrom('string', 'bool', 'number');

/** Any type, no deeper than this. */
export function arbitraryType(depth = 2): fc.Arbitrary<Type> {
  if (depth === 0) return leafType;
  const inner = arbitraryType(depth - 1);
  return fc.oneof(
    { weight: 3, arbitrary: leafType },
    { weight: 1, arbitrary: inner.map((list): Type => ({ list })) },
    { weight: 1, arbitrary: inner.map((set): Type => ({ set })) },
    { weight: 1, arbitrary: inner.map((map): Type => ({ map })) },
    {
      weight: 1,
      arbitrary: fc
        .uniqueArray(fc.tuple(memberName, inner), { selector: ([name]) => name, maxLength: 3 })
        .map((members): Type => ({ object: objectOf(members) })),
    },
  );
}

/** A record without a prototype, whose keys may be anything. */
function objectOf<T>(entries: readonly (readonly [string, T])[]): Readonly<Record<string, T>> {
  const record: Record<string, T> = Object.create(null);
  for (const [name, value] of entries) record[name] = value;
  return record;
}

const arbitraryDouble = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  .filter((value) => !Object.is(value, -0) && (!Number.isInteger(value) || Number.isSafeInteger(value)));

export interface ValueTraits {
  /** How often a value is null or unknown, where it may be. */
  readonly nulls?: boolean;
  readonly unknowns?: boolean;
}

/** Any value of a type. */
export function arbitraryValue(type: Type, traits: ValueTraits = {}): fc.Arbitrary<Value> {
  const known = knownValue(type, traits);
  return fc.oneof(
    { weight: 6, arbitrary: known },
    ...(traits.nulls === false ? [] : [{ weight: 1, arbitrary: fc.constant(null) }]),
    ...(traits.unknowns ? [{ weight: 1, arbitrary: fc.constantFrom(unknownValue(), unknownNotNull) }] : []),
  );
}

function knownValue(type: Type, traits: ValueTraits): fc.Arbitrary<Value> {
  if (type === 'string')
    return fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => text.normalize());
  if (type === 'bool') return fc.boolean();
  if (type === 'number') return arbitraryDouble;
  if ('list' in type) return fc.array(arbitraryValue(type.list, traits), { maxLength: 3 });
  if ('set' in type) return fc.array(arbitraryValue(type.set, traits), { maxLength: 3 });
  if ('map' in type)
    return fc
      .uniqueArray(fc.tuple(fc.oneof(memberName, fc.string()), arbitraryValue(type.map, traits)), {
        selector: ([key]) => key,
        maxLength: 3,
      })
      .map(recordOf);
  const members = Object.entries(type.object);
  return fc
    .tuple(...members.map(([, each]) => arbitraryValue(each, traits)))
    .map((values) => recordOf(values.map((value, index) => [members[index]?.[0] ?? '', value] as const)));
}
