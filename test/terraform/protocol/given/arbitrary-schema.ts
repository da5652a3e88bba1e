import fc from 'fast-check';
import { keepPrior, requiresReplaceIf } from '../../../../src/terraform/protocol/schema/plan-modifier.ts';
import {
  type Attribute,
  type Block,
  type BlockBody,
  isNested,
  type Schema,
} from '../../../../src/terraform/protocol/schema/schema.ts';
import {
  type RecordValue,
  recordOf,
  type Type,
  unknownValue,
  type Value,
} from '../../../../src/terraform/protocol/value/value.ts';
import { arbitraryValue } from './arbitrary-value.ts';

const names = ['alpha', 'beta', 'gamma', 'delta'] as const;

const plainType: fc.Arbitrary<Type> = fc.constantFrom<Type>(
  'string',
  'bool',
  'number',
  { list: 'string' },
  { set: 'string' },
  { map: 'number' },
);

type Flags = Pick<Attribute, 'required' | 'optional' | 'computed' | 'nonNull'>;

const flags = fc.constantFrom<Flags>(
  { required: true },
  { optional: true },
  { computed: true },
  { computed: true, nonNull: true },
  { optional: true, computed: true },
);

const modifiers = fc.constantFrom(undefined, [keepPrior], [requiresReplaceIf('always', () => true)]);

const plainAttribute: fc.Arbitrary<Attribute> = fc
  .tuple(flags, plainType, modifiers, fc.boolean())
  .chain(([traits, type, plan, hasDefault]) => {
    const base = { description: '', type, ...traits, ...(plan === undefined ? {} : { plan }) };
    return hasDefault && traits.optional === true && traits.computed === true
      ? arbitraryValue(type, { nulls: false }).map((value): Attribute => ({ ...base, default: value }))
      : fc.constant<Attribute>(base);
  });

const computedAttribute: fc.Arbitrary<Attribute> = fc
  .tuple(plainType, fc.boolean())
  .map(([type, nonNull]) => ({ description: '', type, computed: true, ...(nonNull ? { nonNull } : {}) }));

const nestedAttribute: fc.Arbitrary<Attribute> = fc
  .tuple(fc.constantFrom('list' as const, 'map' as const), named(computedAttribute))
  .map(([nested, attributes]) => ({ description: '', nested, attributes, computed: true }));

function named<T>(each: fc.Arbitrary<T>): fc.Arbitrary<Readonly<Record<string, T>>> {
  return fc
    .tuple(fc.subarray([...names], { minLength: 1 }), fc.array(each, { minLength: 4, maxLength: 4 }))
    .map(([chosen, made]) => Object.fromEntries(chosen.map((name, index) => [name, made[index] as T])));
}

const configured = fc
  .tuple(fc.constantFrom({ required: true } as const, { optional: true } as const), plainType)
  .map(([traits, type]) => ({ description: '', type, ...traits }));

const block: fc.Arbitrary<Block> = fc
  .tuple(fc.constantFrom('single' as const, 'list' as const), named(configured))
  .map(([nesting, attributes]) => ({ nesting, description: '', attributes }));

/** Any schema in the forms that the provider supports, of moderate size. */
export const arbitrarySchema: fc.Arbitrary<Schema> = fc
  .tuple(
    named(fc.oneof({ weight: 3, arbitrary: plainAttribute }, { weight: 1, arbitrary: nestedAttribute })),
    fc.option(block, { nil: undefined }),
  )
  .map(([attributes, inner]) => ({
    description: '',
    attributes,
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
  if (isNested(each) || (!each.required && !each.optional)) return fc.constant(null);
  return fc.oneof(
    { weight: 4, arbitrary: arbitraryValue(each.type, { nulls: false, ...traits }) },
    ...(each.required ? [] : [{ weight: 2, arbitrary: fc.constant(null) }]),
    ...(traits.unknowns ? [{ weight: 1, arbitrary: fc.constant(unknownValue()) }] : []),
  );
}

function blocksOf(each: Block, traits: { readonly unknowns: boolean }): fc.Arbitrary<Value> {
  const one = arbitraryConfig(each, traits);
  return each.nesting === 'single' ? fc.oneof(one, fc.constant(null)) : fc.array(one, { maxLength: 2 });
}
