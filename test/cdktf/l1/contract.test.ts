import { TerraformOutput, TerraformStack, Testing } from 'cdktf';
import type { Construct } from 'constructs';
import { describe, expect, test } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import * as constructs from '../../../src/cdktf/index.ts';
import { argumentsOf } from '../../../src/cdktf/l1/arguments.ts';
import {
  type BlockShape,
  type BodyShape,
  camel,
  isArgument,
  type Shape,
} from '../../../src/cdktf/l1/shape.ts';
import { systemClock } from '../../../src/service/client/system-clock.ts';
import type { Attribute } from '../../../src/terraform/protocol/schema/attribute.ts';
import type { Block, BlockBody, Schema } from '../../../src/terraform/protocol/schema/schema.ts';
import { providerAddress } from '../../../src/terraform/provider/address.ts';
import { rampartProvider } from '../../../src/terraform/provider/rampart-provider.ts';

const provider = rampartProvider({ env: {}, clock: systemClock });

interface L1 {
  readonly tfResourceType: string;
  readonly providerVersion: string;
  readonly shape: Shape;
  readonly prototype: object;
  generateConfigForImport?: (scope: Construct, id: string, importId: string) => unknown;
  new (scope: Construct, id: string, config: never): object;
}

interface Pair {
  readonly address: string;
  readonly construct: L1;
  readonly schema: Schema | undefined;
}

/** Every class of the package that stands for something of Terraform's, by what its instances synthesize to. */
const classes = Object.values(constructs).filter(
  (each): each is typeof each & L1 => 'tfResourceType' in each && 'shape' in each,
);
const pairs = classes.map((construct): Pair => {
  const { tfResourceType: type } = construct;
  if (construct === constructs.RampartProvider) return { address: type, construct, schema: provider.schema };
  const element = documentOf(construct);
  if ('data' in element) {
    return { address: `data.${type}`, construct, schema: provider.dataSources?.[type]?.schema };
  }
  if ('ephemeral' in element) {
    return { address: `ephemeral.${type}`, construct, schema: provider.ephemerals?.[type]?.schema };
  }
  return { address: type, construct, schema: provider.resources?.[type]?.schema };
});

test('there is a class for everything that the provider has, and for nothing else', () => {
  expect(pairs.map(({ address }) => address).toSorted()).toEqual(
    [
      'rampart',
      ...Object.keys(provider.resources ?? {}),
      ...Object.keys(provider.dataSources ?? {}).map((name) => `data.${name}`),
      ...Object.keys(provider.ephemerals ?? {}).map((name) => `ephemeral.${name}`),
    ].toSorted(),
  );
});

describe.each(pairs)('$address', ({ address, construct, schema }) => {
  test('takes and gives just what the provider says, with the same types', () => {
    expect(construct.shape).toEqual(bodyOf(schema as Schema));
  });

  test('has a token for every attribute', () => {
    const stack = new TerraformStack(Testing.app(), 'fleet');
    const instance = new construct(stack, 'it', givenFor(construct.shape) as never);
    if (construct === constructs.RampartProvider) return;
    const values = instance as Readonly<Record<string, unknown>>;
    for (const name of Object.keys(construct.shape.attributes))
      new TerraformOutput(stack, name, { value: values[camel(name)] });
    const { output } = JSON.parse(Testing.synth(stack)) as { readonly output: object };
    const expected = Object.keys(construct.shape.attributes).map(
      (name) => [name, { value: `\${${address}.it.${name}}` }] as const,
    );
    expect(output).toEqual(Object.fromEntries(expected));
  });

  test('has no property for an attribute that the provider lacks', () => {
    const ours = new Set(['constructor', 'alias', 'toTerraform', 'toHclTerraform']);
    const getters = Object.entries(Object.getOwnPropertyDescriptors(construct.prototype))
      .filter(([name, { get }]) => get !== undefined && !ours.has(name))
      .map(([name]) => name);
    const names = Object.keys(construct.shape.attributes).map(camel);
    expect(getters.filter((name) => !names.includes(name))).toEqual([]);
  });

  test('writes every argument by the name that Terraform has for it', () => {
    const given = givenFor(construct.shape);
    expect(namesIn(argumentsOf(construct.shape, given))).toEqual(argumentNames(construct.shape));
    const element = documentOf(construct);
    expect(JSON.stringify(element)).toContain(construct.tfResourceType);
  });

  test('can be imported if the provider can import it', () => {
    const resource = address.includes('.') ? undefined : provider.resources?.[address];
    expect(construct.generateConfigForImport !== undefined).toBe(resource?.import !== undefined);
  });
});

test('the provider is found where it is published, in a release that these constructs fit', () => {
  const stack = new TerraformStack(Testing.app(), 'fleet');
  new constructs.RampartProvider(stack, 'rampart');
  const [major, minor] = packageJson.version.split('.');
  expect(JSON.parse(Testing.synth(stack))).toMatchObject({
    terraform: {
      required_providers: {
        rampart: {
          source: providerAddress.replace('registry.terraform.io/', ''),
          version: `~> ${major}.${minor}`,
        },
      },
    },
  });
  expect(new Set(classes.map(({ providerVersion }) => providerVersion))).toEqual(
    new Set([`~> ${major}.${minor}`]),
  );
});

function documentOf(construct: L1): object {
  const stack = new TerraformStack(Testing.app(), 'fleet');
  new construct(stack, 'it', givenFor(construct.shape) as never);
  return JSON.parse(Testing.synth(stack)) as object;
}

/** Something for every argument, whatever it is. */
function givenFor(shape: BodyShape): Record<string, unknown> {
  return Object.fromEntries([
    ...Object.entries(shape.attributes ?? {}).flatMap(([name, each]) =>
      isArgument(each) ? [[camel(name), sample(each.type)] as const] : [],
    ),
    ...Object.entries(shape.blocks ?? {}).map(([name, block]) => {
      const body = givenFor(block);
      return [camel(name), block.nesting === 'list' || block.nesting === 'set' ? [body] : body] as const;
    }),
  ]);
}

function sample(type: unknown): unknown {
  if (type === 'number') return 1;
  if (type === 'bool') return true;
  if (type === 'string') return 'x';
  return typeof type === 'object' && type !== null && 'map' in type ? { key: sample(type.map) } : ['x'];
}

function argumentNames(shape: BodyShape): object {
  return Object.fromEntries([
    ...Object.entries(shape.attributes ?? {}).flatMap(([name, each]) =>
      isArgument(each) ? [[name, null] as const] : [],
    ),
    ...Object.entries(shape.blocks ?? {}).map(([name, block]) => [name, argumentNames(block)] as const),
  ]);
}

function namesIn(value: object): object {
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      const [first] = Array.isArray(each) ? (each as readonly unknown[]) : [each];
      const isBlock = typeof first === 'object' && first !== null && !('key' in first);
      return [name, isBlock ? namesIn(first) : null] as const;
    }),
  );
}

/** What a construct has to know of a schema: not its words, its rules and its plans. */
function bodyOf({ attributes, blocks }: BlockBody): BodyShape {
  return {
    ...(attributes === undefined
      ? {}
      : { attributes: mapped(attributes, attributeOf) as NonNullable<BodyShape['attributes']> }),
    ...(blocks === undefined ? {} : { blocks: mapped(blocks, blockOf) }),
  };
}

function attributeOf(attribute: Attribute): object {
  const { required, optional, computed, sensitive } = attribute;
  const traits = Object.fromEntries(
    Object.entries({ required, optional, computed, sensitive }).filter(([, on]) => on === true),
  );
  return 'nested' in attribute
    ? { nested: attribute.nested, ...traits, attributes: mapped(attribute.attributes, attributeOf) }
    : { type: attribute.type, ...traits };
}

function blockOf(block: Block): BlockShape {
  const { nesting, minItems, maxItems } = block;
  return {
    nesting,
    ...(minItems === undefined ? {} : { minItems }),
    ...(maxItems === undefined ? {} : { maxItems }),
    ...bodyOf(block),
  };
}

function mapped<A, B>(record: Readonly<Record<string, A>>, of: (each: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([name, each]) => [name, of(each)]));
}
