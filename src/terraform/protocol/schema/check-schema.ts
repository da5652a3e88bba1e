import { type Attribute, type Attributes, isNested } from './attribute.ts';
import type { Block, Schema } from './schema.ts';

const reserved: ReadonlySet<string> = new Set([
  'connection',
  'count',
  'depends_on',
  'for_each',
  'lifecycle',
  'provider',
  'provisioner',
]);

/** The reasons for which Terraform would refuse a schema. */
export function faultsOfSchema(schema: Schema): readonly string[] {
  const names = [...Object.keys(schema.attributes ?? {}), ...Object.keys(schema.blocks ?? {})];
  return [
    ...names.filter((name) => reserved.has(name)).map((name) => `${name}: is a reserved name`),
    ...faultsOfBody(schema, '', false),
  ];
}

function faultsOfBody(
  body: Pick<Schema, 'attributes' | 'blocks'>,
  prefix: string,
  isInSet: boolean,
): readonly string[] {
  const attributes = Object.entries(body.attributes ?? {});
  const blocks = Object.entries(body.blocks ?? {});
  const twice = attributes.filter(([name]) => body.blocks !== undefined && Object.hasOwn(body.blocks, name));
  return [
    ...[...attributes, ...blocks]
      .filter(([name]) => !/^[a-z0-9_]+$/.test(name))
      .map(([name]) => `${prefix}${name}: is not a valid name: use lower-case letters, digits and _`),
    ...twice.map(([name]) => `${prefix}${name}: is an attribute and a block`),
    ...attributes.flatMap(([name, each]) => faultsOfAttribute(each, `${prefix}${name}`, isInSet)),
    ...blocks.flatMap(([name, each]) => faultsOfBlock(each, `${prefix}${name}`, isInSet)),
  ];
}

function faultsOfAttribute(attribute: Attribute, name: string, isInSet: boolean): readonly string[] {
  const { required, optional, computed, writeOnly } = attribute;
  const faults: string[] = [];
  if (!required && !optional && !computed) faults.push('is neither required, optional nor computed');
  if (required && (optional || computed))
    faults.push('is required, so it must not also be optional or computed');
  if (writeOnly && computed) faults.push('is write-only and computed');
  if (writeOnly && isInSet) faults.push('is write-only inside a set');
  if (attribute.default !== undefined && !(optional && computed))
    faults.push('has a default and is not both optional and computed');
  const nested = isNested(attribute)
    ? faultsOfAttributes(attribute.attributes, `${name}.`, isInSet || attribute.nested === 'set')
    : [];
  return [...faults.map((fault) => `${name}: ${fault}`), ...nested];
}

function faultsOfAttributes(attributes: Attributes, prefix: string, isInSet: boolean): readonly string[] {
  return faultsOfBody({ attributes }, prefix, isInSet);
}

function faultsOfBlock(block: Block, name: string, isInSet: boolean): readonly string[] {
  const { nesting, minItems = 0, maxItems = 0 } = block;
  const faults: string[] = [];
  if (nesting === 'single' && !(minItems === maxItems && minItems <= 1))
    faults.push('is single, so both counts must be 0 or both must be 1');
  if ((nesting === 'group' || nesting === 'map') && (minItems > 0 || maxItems > 0))
    faults.push(`is a ${nesting}: it must not have counts`);
  if (maxItems > 0 && minItems > maxItems) faults.push('has a minimum count above its maximum count');
  return [
    ...faults.map((fault) => `${name}: ${fault}`),
    ...faultsOfBody(block, `${name}.`, isInSet || nesting === 'set'),
  ];
}
