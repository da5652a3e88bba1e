import fc from 'fast-check';
import { type Numeric, numericFromText } from '../../../../src/terraform/protocol/value/numeric.ts';
import { type Refinement, Unknown, unknownValue } from '../../../../src/terraform/protocol/value/unknown.ts';
import { Dynamic, recordOf, type Value } from '../../../../src/terraform/protocol/value/value.ts';
import type { LeafType, Type } from '../../../../src/terraform/protocol/value/value-type.ts';

const memberName = fc.constantFrom('a', 'b', 'c', 'constructor', '__proto__', 'to_string');

const leafType: fc.Arbitrary<LeafType> = fc.constantFrom(
  'string',
  'bool',
  'number',
  'int64',
  'numeric',
  'dynamic',
);

/** Any type, no deeper than this. */
export function arbitraryType(depth = 2): fc.Arbitrary<Type> {
  if (depth === 0) return leafType;
  const inner = arbitraryType(depth - 1);
  return fc.oneof(
    { weight: 3, arbitrary: leafType },
    { weight: 1, arbitrary: inner.map((list): Type => ({ list, nulls: true })) },
    { weight: 1, arbitrary: inner.map((set): Type => ({ set, nulls: true })) },
    { weight: 1, arbitrary: inner.map((map): Type => ({ map, nulls: true })) },
    { weight: 1, arbitrary: fc.array(inner, { maxLength: 3 }).map((tuple): Type => ({ tuple })) },
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

const decimalText = fc
  .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.integer({ min: 0, max: 25 }))
  .map(([negative, digits, scale]) => {
    const text = digits.toString().padStart(scale + 1, '0');
    const whole = text.slice(0, text.length - scale);
    return `${negative ? '-' : ''}${whole}${scale === 0 ? '' : `.${text.slice(text.length - scale)}`}`;
  });

export const arbitraryNumeric: fc.Arbitrary<Numeric> = decimalText.map(numericFromText);

const arbitraryDouble = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  .filter((value) => !Object.is(value, -0) && (!Number.isInteger(value) || Number.isSafeInteger(value)));

export interface ValueTraits {
  /** How often a value is null or unknown, where it may be. */
  readonly nulls?: boolean;
  /** `plain`: without promises. */
  readonly unknowns?: boolean | 'plain';
}

const arbitraryRefinement: fc.Arbitrary<Refinement> = fc.record(
  {
    nullable: fc.constant(false),
    prefix: fc.string({ maxLength: 5 }),
    lowerBound: fc.record({ value: arbitraryNumeric, inclusive: fc.boolean() }),
    upperBound: fc.record({ value: arbitraryNumeric, inclusive: fc.boolean() }),
    minLength: fc.nat({ max: 9 }),
    maxLength: fc.nat({ max: 99 }),
  },
  { requiredKeys: [] },
);

/** Any value of a type. */
export function arbitraryValue(type: Type, traits: ValueTraits = {}): fc.Arbitrary<Value> {
  const known = knownValue(type, traits);
  return fc.oneof(
    { weight: 6, arbitrary: known },
    ...(traits.nulls === false ? [] : [{ weight: 1, arbitrary: fc.constant(null) }]),
    ...(traits.unknowns === 'plain' ? [{ weight: 1, arbitrary: fc.constant(unknownValue()) }] : []),
    ...(traits.unknowns === true
      ? [{ weight: 1, arbitrary: arbitraryRefinement.map((each) => unknownOf(each)) }]
      : []),
  );
}

function unknownOf(refinement: Refinement): Unknown {
  return Object.keys(refinement).length === 0 ? unknownValue() : new Unknown(refinement);
}

function knownValue(type: Type, traits: ValueTraits): fc.Arbitrary<Value> {
  if (type === 'string')
    return fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => text.normalize());
  if (type === 'bool') return fc.boolean();
  if (type === 'number') return arbitraryDouble;
  if (type === 'int64') return fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  if (type === 'numeric') return arbitraryNumeric;
  if (type === 'dynamic')
    return arbitraryType(1)
      .map(asRead)
      .filter((inner) => inner !== 'dynamic')
      .chain((inner) => arbitraryValue(inner, traits).map((value) => new Dynamic(inner, value)));
  if ('list' in type) return fc.array(arbitraryValue(type.list, traits), { maxLength: 3 });
  if ('set' in type) return fc.array(arbitraryValue(type.set, traits), { maxLength: 3 });
  if ('map' in type)
    return fc
      .uniqueArray(fc.tuple(fc.oneof(memberName, fc.string()), arbitraryValue(type.map, traits)), {
        selector: ([key]) => key,
        maxLength: 3,
      })
      .map(recordOf);
  if ('tuple' in type) return fc.tuple(...type.tuple.map((each) => arbitraryValue(each, traits)));
  const members = Object.entries(type.object);
  return fc
    .tuple(...members.map(([, each]) => arbitraryValue(each, traits)))
    .map((values) => recordOf(values.map((value, index) => [members[index]?.[0] ?? '', value] as const)));
}

/** A type as it comes back from its JSON, which knows one kind of number. */
function asRead(type: Type): Type {
  if (typeof type === 'string') return type === 'number' || type === 'int64' ? 'numeric' : type;
  if ('list' in type) return { list: asRead(type.list), nulls: true };
  if ('set' in type) return { set: asRead(type.set), nulls: true };
  if ('map' in type) return { map: asRead(type.map), nulls: true };
  if ('tuple' in type) return { tuple: type.tuple.map(asRead) };
  return {
    object: objectOf(Object.entries(type.object).map(([name, each]) => [name, asRead(each)] as const)),
  };
}
