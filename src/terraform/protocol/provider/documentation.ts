import { type Attribute, type Attributes, isNested } from '../schema/attribute.ts';
import type { PlanModifier } from '../schema/plan-modifier.ts';
import type { Block, BlockBody, Schema } from '../schema/schema.ts';
import { formatJson, type TerraformJson } from '../value/json.ts';
import type { Type } from '../value/value-type.ts';
import type { Provider } from './provider.ts';
import type { Parameter } from './provider-function.ts';

/** The contents of a documentation page, derived from the schemas. Texts are Markdown. */
export interface ProviderDocumentation {
  readonly provider: SchemaDocumentation;
  readonly resources: Readonly<Record<string, ResourceDocumentation>>;
  readonly dataSources: Readonly<Record<string, SchemaDocumentation>>;
  readonly ephemerals: Readonly<Record<string, SchemaDocumentation>>;
  readonly lists: Readonly<Record<string, SchemaDocumentation>>;
  readonly actions: Readonly<Record<string, SchemaDocumentation>>;
  readonly functions: Readonly<Record<string, FunctionDocumentation>>;
}

export interface SchemaDocumentation extends BodyDocumentation {
  readonly description: string;
  readonly deprecated: string | null;
  /** Rules between attributes, as sentences without a period. */
  readonly rules: readonly string[];
}

export interface ResourceDocumentation extends SchemaDocumentation {
  readonly canImport: boolean;
  /** The attributes of its identity, empty if it has none. */
  readonly identity: readonly { readonly name: string; readonly description: string }[];
}

interface BodyDocumentation {
  readonly attributes: readonly AttributeDocumentation[];
  readonly blocks: readonly BlockDocumentation[];
}

export interface AttributeDocumentation {
  readonly name: string;
  /** `String`, `List of Number`, `Attributes`, `Attributes List`. */
  readonly type: string;
  readonly usage: 'required' | 'optional' | 'read-only';
  readonly description: string;
  readonly deprecated: string | null;
  /** `sensitive`, `default: "paper"`, `one of "a", "b"`, `a change forces a replacement`. */
  readonly notes: readonly string[];
  /** The attributes of a nested attribute. */
  readonly attributes: readonly AttributeDocumentation[];
}

export interface BlockDocumentation extends BodyDocumentation {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly deprecated: string | null;
  readonly minItems: number;
  /** Null: no limit. */
  readonly maxItems: number | null;
}

export interface FunctionDocumentation {
  readonly summary: string;
  readonly description: string;
  readonly deprecated: string | null;
  /** `join(separator string, texts string...) string` */
  readonly signature: string;
  readonly parameters: readonly { readonly name: string; readonly description: string }[];
}

export function documentationOf<Client>(provider: Provider<Client>): ProviderDocumentation {
  const {
    resources = {},
    dataSources = {},
    ephemerals = {},
    lists = {},
    actions = {},
    functions = {},
  } = provider;
  return {
    provider: schemaDocumentation(provider.schema),
    resources: mapValues(resources, (each) => ({
      ...schemaDocumentation(each.schema),
      canImport: each.import !== undefined,
      identity: Object.entries(each.identity?.attributes ?? {}).map(([name, { description }]) => ({
        name,
        description,
      })),
    })),
    dataSources: mapValues(dataSources, ({ schema }) => schemaDocumentation(schema)),
    ephemerals: mapValues(ephemerals, ({ schema }) => schemaDocumentation(schema)),
    lists: mapValues(lists, ({ schema }) => schemaDocumentation(schema)),
    actions: mapValues(actions, ({ schema }) => schemaDocumentation(schema)),
    functions: Object.fromEntries(
      Object.entries(functions).map(([name, each]) => {
        const all = [...each.parameters, ...(each.variadic === undefined ? [] : [each.variadic])];
        const listed = all.map((parameter) => parameterText(parameter, parameter === each.variadic));
        return [
          name,
          {
            summary: each.summary,
            description: each.description,
            deprecated: each.deprecated ?? null,
            signature: `${name}(${listed.join(', ')}) ${typeText(each.returns).toLowerCase()}`,
            parameters: all.map((parameter) => ({
              name: parameter.name,
              description: parameter.description,
            })),
          },
        ];
      }),
    ),
  };
}

function schemaDocumentation(schema: Schema): SchemaDocumentation {
  return {
    description: schema.description,
    deprecated: schema.deprecated ?? null,
    rules: (schema.rules ?? []).map(({ description }) => description),
    ...bodyDocumentation(schema),
  };
}

function bodyDocumentation(body: BlockBody): BodyDocumentation {
  return {
    attributes: attributeDocumentations(body.attributes ?? {}),
    blocks: Object.entries(body.blocks ?? {}).map(([name, block]) => blockDocumentation(name, block)),
  };
}

function attributeDocumentations(attributes: Attributes): readonly AttributeDocumentation[] {
  return Object.entries(attributes).map(([name, attribute]) => ({
    name,
    type: isNested(attribute) ? `Attributes${collectionSuffix(attribute.nested)}` : typeText(attribute.type),
    usage: attribute.required ? 'required' : attribute.optional ? 'optional' : 'read-only',
    description: attribute.description,
    deprecated: attribute.deprecated ?? null,
    notes: notesOf(attribute),
    attributes: isNested(attribute) ? attributeDocumentations(attribute.attributes) : [],
  }));
}

function blockDocumentation(name: string, block: Block): BlockDocumentation {
  const isOne = block.nesting === 'single' || block.nesting === 'group';
  return {
    name,
    type: `Block${collectionSuffix(block.nesting)}`,
    description: block.description,
    deprecated: block.deprecated ?? null,
    minItems: block.minItems ?? 0,
    maxItems: isOne ? 1 : (block.maxItems ?? null),
    ...bodyDocumentation(block),
  };
}

function notesOf(attribute: Attribute): readonly string[] {
  return [
    ...(attribute.sensitive ? ['sensitive'] : []),
    ...(attribute.writeOnly ? ['write-only'] : []),
    ...(attribute.default === undefined
      ? []
      : [`default: ${formatJson(attribute.default as TerraformJson)}`]),
    ...(attribute.validate ?? []).map(({ description }) => description),
    ...(attribute.plan ?? []).flatMap(noteOfModifier),
  ];
}

function noteOfModifier(modifier: PlanModifier): readonly string[] {
  switch (modifier.kind) {
    case 'requires-replace':
      return ['a change forces a replacement'];
    case 'requires-replace-if':
      return [`a change forces a replacement: ${modifier.description}`];
    case 'keep-prior':
      return [];
    default:
      return modifier satisfies never;
  }
}

function collectionSuffix(nesting: Block['nesting']): string {
  return { single: '', group: '', list: ' List', set: ' Set', map: ' Map' }[nesting];
}

function typeText(type: Type): string {
  if (type === 'string') return 'String';
  if (type === 'bool') return 'Boolean';
  if (type === 'dynamic') return 'Dynamic';
  if (typeof type === 'string') return 'Number';
  if ('list' in type) return `List of ${typeText(type.list)}`;
  if ('set' in type) return `Set of ${typeText(type.set)}`;
  if ('map' in type) return `Map of ${typeText(type.map)}`;
  return 'tuple' in type ? 'Tuple' : 'Object';
}

function parameterText({ name, type }: Parameter, isVariadic: boolean): string {
  return `${name} ${typeText(type).toLowerCase()}${isVariadic ? '...' : ''}`;
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, map: (value: T) => U) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}
