import fc from 'fast-check';
import { type Attribute, isNested } from '../../../../src/terraform/protocol/schema/attribute.ts';
import { keepPrior, requiresReplace } from '../../../../src/terraform/protocol/schema/plan-modifier.ts';
import type { Block, BlockBody, Schema } from '../../../../src/terraform/protocol/schema/schema.ts';
import { unknownValue } from '../../../../src/terraform/protocol/value/unknown.ts';
import { type RecordValue, recordOf, type Value } from '../../../../src/terraform/protocol/value/value.ts';
import type { Type } from '../../../../src/terraform/protocol/value/value-type.ts';
import { arbitraryValue } from './arbitrary-value.ts';

const names = ['alpha', 'beta', 'gamma', 'delta'] as const;

const plainType: fc.Arbitrary<Type> = fc.constantFrom<Type>(
  'string',
  'bool',
  'number',
  'int64',
  { list: 'string' },
  { set: 'string' },
  { map: 'int64' },
  { object: { x: 'string', y: 'bool' } },
);

type Flags = Pick<Attribute, 'required' | 'optional' | 'computed' | 'nonNull' | 'writeOnly'>;

function flags(isInSet: boolean): fc.Arbitrary<Flags> {
  return fc.constantFrom<Flags>(
    { required: true },
    { optional: true },
    { computed: true },
    { computed: true, nonNull: true },
    { optional: true, computed: true },
    ...(isInSet ? [] : [{ optional: true, writeOnly: true } as const]),
  );
}

const modifiers = fc.constantFrom(undefined, [keepPrior], [requiresReplace]);

function attribute(depth: number, isInSet: boolean): fc.Arbitrary<Attribute> {
  const plain = fc
    .tuple(flags(isInSet), plainType, modifiers, fc.boolean())
    .chain(([traits, type, plan, hasDefault]) => {
      const base = { description: '', type, ...traits, ...(plan === undefined ? {} : { plan }) };
      return hasDefault && traits.optional === true && traits.computed === true
        ? arbitraryValue(type, { nulls: false }).map((value): Attribute => ({ ...base, default: value }))
        : fc.constant<Attribute>(base);
    });
  if (depth === 0) return plain;
  const nested = fc
    .constantFrom('single', 'list', 'set', 'map')
    .chain((nesting) =>
      fc.tuple(
        fc.constant(nesting),
        // Without write-only ones, of which no computed object may be made.
        flags(true),
        attributes(depth - 1, isInSet || nesting === 'set'),
      ),
    )
    .map(
      ([nesting, traits, inner]): Attribute => ({
        description: '',
        nested: nesting as 'list',
        attributes: inner,
        ...traits,
      }),
    );
  return fc.oneof({ weight: 3, arbitrary: plain }, { weight: 1, arbitrary: nested });
}

function attributes(depth: number, isInSet: boolean): fc.Arbitrary<Readonly<Record<string, Attribute>>> {
  return fc
    .tuple(
      fc.subarray([...names], { minLength: 1 }),
      fc.array(attribute(depth, isInSet), { minLength: 4, maxLength: 4 }),
    )
    .map(([chosen, made]) =>
      Object.fromEntries(chosen.map((name, index) => [name, made[index] as Attribute])),
    );
}

const block: fc.Arbitrary<Block> = fc
  .constantFrom('single', 'list', 'set', 'map', 'group')
  .chain((nesting) =>
    attributes(0, nesting === 'set').map(
      (inner): Block => ({ nesting: nesting as 'list', description: '', attributes: inner }),
    ),
  );

/** Any schema that Terraform accepts, of moderate size. */
export const arbitrarySchema: fc.Arbitrary<Schema> = fc
  .tuple(attributes(1, false), fc.option(block, { nil: undefined }))
  .map(([made, inner]) => ({
    description: '',
    attributes: made,
    ...(inner === undefined ? {} : { blocks: { inside: inner } }),
  }));

/** Any configuration of a schema that Terraform would hand over. */
export function arbitraryConfig(
  body: BlockBody,
  traits: { readonly unknowns: boolean },
): fc.Arbitrary<RecordValue> {
  const members = [
    ...Object.entries(body.attributes ?? {}).map(([name, each]) => [name, configOf(each, traits)] as const),
    ...Object.entries(body.blocks ?? {}).map(([name, each]) => [name, blocksOf(each, traits)] as const),
  ];
  return fc
    .tuple(...members.map(([, value]) => value))
    .map((values) => recordOf(values.map((value, index) => [members[index]?.[0] ?? '', value] as const)));
}

function configOf(each: Attribute, traits: { readonly unknowns: boolean }): fc.Arbitrary<Value> {
  if (!each.required && !each.optional) return fc.constant(null);
  const value = isNested(each)
    ? collection(each.nested, each, traits)
    : arbitraryValue(each.type, { nulls: false, unknowns: traits.unknowns ? 'plain' : false });
  return fc.oneof(
    { weight: 4, arbitrary: value },
    ...(each.required ? [] : [{ weight: 2, arbitrary: fc.constant(null) }]),
    ...(traits.unknowns ? [{ weight: 1, arbitrary: fc.constant(unknownValue()) }] : []),
  );
}

function blocksOf(each: Block, traits: { readonly unknowns: boolean }): fc.Arbitrary<Value> {
  const value = collection(each.nesting, each, traits);
  return each.nesting === 'single' ? fc.oneof(value, fc.constant(null)) : value;
}

function collection(
  nesting: Block['nesting'],
  body: BlockBody,
  traits: { readonly unknowns: boolean },
): fc.Arbitrary<Value> {
  // Elements of sets that could become one another are told apart by nothing: at most one then.
  const one = arbitraryConfig(body, { unknowns: traits.unknowns && nesting !== 'set' });
  switch (nesting) {
    case 'single':
    case 'group':
      return one;
    case 'list':
      return fc.array(one, { maxLength: 2 });
    case 'set':
      return fc.array(one, { maxLength: 1 });
    case 'map':
      return fc
        .dictionary(fc.constantFrom('k', 'l'), one, { maxKeys: 2 })
        .map((made) => recordOf(Object.entries(made)));
    default:
      return nesting satisfies never;
  }
}
