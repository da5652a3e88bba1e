import { TerraformOutput, TerraformStack, Testing } from 'cdktf';
import { expect, test } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import * as constructs from '../../../src/cdktf/index.ts';
import { type Argument, camel } from '../../../src/cdktf/l1/arguments.ts';
import type { Kind } from '../../../src/cdktf/l1/kind.ts';
import { systemClock } from '../../../src/service/client/system-clock.ts';
import type { BlockBody, Schema } from '../../../src/terraform/protocol/schema/schema.ts';
import { providerAddress } from '../../../src/terraform/provider/address.ts';
import { rampartProvider } from '../../../src/terraform/provider/rampart-provider.ts';

type Binding = Kind & (new (scope: TerraformStack, id: string, config: never) => object);

const provider = rampartProvider({ env: {}, clock: systemClock });
const schemas: Readonly<Record<string, Schema>> = {
  rampart: provider.schema,
  ...schemasOf('resource', provider.resources),
  ...schemasOf('data', provider.dataSources),
  ...schemasOf('ephemeral', provider.ephemerals),
};

/** Every class of the package that the provider's schema describes, with the synth output of its instances. */
const bindings = Object.values(constructs)
  .filter((each): each is typeof each & Binding => 'tfResourceType' in each)
  .map((construct) => {
    const { tfResourceType: type } = construct;
    const written = synthesized(construct);
    const [section] = ['resource', 'data', 'ephemeral'].filter((each) => each in written);
    const address = section === undefined ? type : `${section}.${type}`;
    return { address, construct, written, schema: schemas[address] as Schema };
  });

test('there is a class for everything that the provider has, and for nothing else', () =>
  expect(bindings.map(({ address }) => address).toSorted()).toEqual(Object.keys(schemas).toSorted()));

test.each(bindings)('$address writes every argument of the schema by its name in Terraform', (binding) => {
  const { construct, schema, written } = binding;
  expect(namesIn(blockIn(written, construct))).toEqual(namesOfArguments(schema));
});

test.each(bindings.filter(({ address }) => address !== 'rampart'))(
  '$address has a token for every attribute',
  ({ address, construct, schema }) => {
    const { attributes = {} } = schema;
    const stack = new TerraformStack(Testing.app(), 'fleet');
    const values = new construct(stack, 'it', samples(construct) as never) as Record<string, unknown>;
    for (const name of Object.keys(attributes))
      new TerraformOutput(stack, name, { value: values[camel(name)] });
    const { output } = JSON.parse(Testing.synth(stack)) as { readonly output: object };
    const reference = address.replace(/^resource\./, '');
    expect(output).toEqual(
      Object.fromEntries(
        Object.keys(attributes).map((name) => [name, { value: `\${${reference}.it.${name}}` }]),
      ),
    );
  },
);

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
});

function schemasOf(section: string, all: Readonly<Record<string, { readonly schema: Schema }>> = {}) {
  return Object.fromEntries(Object.entries(all).map(([name, { schema }]) => [`${section}.${name}`, schema]));
}

type Document = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

function synthesized(construct: Binding): Document {
  const stack = new TerraformStack(Testing.app(), 'fleet');
  new construct(stack, 'it', samples(construct) as never);
  return JSON.parse(Testing.synth(stack)) as Document;
}

/** A value for every argument. */
function samples({ takes }: Pick<Kind, 'takes'>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(takes).map(([name, each]) => [camel(name), sampleOf(each)]));
}

function sampleOf(argument: Argument): unknown {
  if (typeof argument === 'object') return samples({ takes: argument });
  return { string: 'x', boolean: true, number: 1, list: ['x'], map: { a_key: 'x' } }[argument];
}

function blockIn(written: Document, { tfResourceType: type }: Kind): object {
  const { resource, data, ephemeral, provider: own } = written;
  const found = (resource ?? data ?? ephemeral ?? own)?.[type];
  const block = Array.isArray(found)
    ? (found as readonly object[])[0]
    : (found as { readonly it: object }).it;
  return block as object;
}

function namesOfArguments({ attributes = {}, blocks = {} }: BlockBody): object {
  return Object.fromEntries([
    ...Object.entries(attributes).flatMap(([name, { required, optional }]) =>
      required || optional ? [[name, null] as const] : [],
    ),
    ...Object.entries(blocks).map(([name, block]) => [name, namesOfArguments(block)] as const),
  ]);
}

/** The names in a block of a stack; maps have the key `a_key`. */
function namesIn(block: object): object {
  return Object.fromEntries(
    Object.entries(block).map(([name, value]) => {
      const isBlock =
        typeof value === 'object' && value !== null && !Array.isArray(value) && !('a_key' in value);
      return [name, isBlock ? namesIn(value) : null];
    }),
  );
}
