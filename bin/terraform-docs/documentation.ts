import type { Provider } from '../../src/terraform/protocol/provider/provider.ts';
import type { Parameter } from '../../src/terraform/protocol/provider/provider-function.ts';
import type { PlanModifier } from '../../src/terraform/protocol/schema/plan-modifier.ts';
import {
  type Attribute,
  type Attributes,
  type Block,
  type BlockBody,
  isNested,
  type Schema,
} from '../../src/terraform/protocol/schema/schema.ts';
import type { Type } from '../../src/terraform/protocol/value/value.ts';

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
  /** `sensitive`, `default: "paper"`, `one of "a", "b"`, `a change forces a replacement: …`. */
  readonly notes: readonly string[];
  /** The attributes of a nested attribute. */
  readonly attributes: readonly AttributeDocumentation[];
}

export interface BlockDocumentation extends BodyDocumentation {
  readonly name: string;
  readonly type: string;
  readonly description: string;
}

export interface FunctionDocumentation {
  readonly summary: string;
  readonly description: string;
  /** `join(separator string, texts list of string) string` */
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
        const listed = each.parameters.map(parameterText);
        return [
          name,
          {
            summary: each.summary,
            description: each.description,
            signature: `${name}(${listed.join(', ')}) ${typeText(each.returns).toLowerCase()}`,
            parameters: each.parameters.map((parameter) => ({
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
    type: `${isNested(attribute) ? `Attributes${collectionSuffix(attribute.nested)}` : typeText(attribute.type)}${attribute.sensitive ? ', Sensitive' : ''}`,
    usage: attribute.required ? 'required' : attribute.optional ? 'optional' : 'read-only',
    description: attribute.description,
    notes: notesOf(attribute),
    attributes: isNested(attribute) ? attributeDocumentations(attribute.attributes) : [],
  }));
}

function blockDocumentation(name: string, block: Block): BlockDocumentation {
  return {
    name,
    type: `Block${collectionSuffix(block.nesting)}`,
    description: block.description,
    ...bodyDocumentation(block),
  };
}

function notesOf(attribute: Attribute): readonly string[] {
  return [
    ...(attribute.default === undefined ? [] : [`default: ${JSON.stringify(attribute.default)}`]),
    ...(attribute.validate ?? []).map(({ description }) => description).filter(isNew(attribute)),
    ...(attribute.plan ?? []).flatMap(noteOfModifier),
  ];
}

/** Is it more than the words or the form of a duration that the description has, or the rule against blank text? */
function isNew({ description }: Attribute): (note: string) => boolean {
  return (note) => {
    if (note.startsWith('a duration')) return !/`\d+[smhd]`/.test(description);
    const words = Array.from(note.matchAll(/"(\w+)"/g), ([, word = '']) => word);
    const isList = /^(?:one|any) of /.test(note) && words.length > 1;
    return note !== 'not blank' && !(isList && words.every((word) => description.includes(word)));
  };
}

function noteOfModifier(modifier: PlanModifier): readonly string[] {
  switch (modifier.kind) {
    case 'requires-replace-if':
      return [`a change forces a replacement: ${modifier.description}`];
    case 'keep-prior':
      return [];
    default:
      return modifier satisfies never;
  }
}

function collectionSuffix(nesting: 'single' | 'list' | 'map'): string {
  return { single: '', list: ' List', map: ' Map' }[nesting];
}

function typeText(type: Type): string {
  if (type === 'string') return 'String';
  if (type === 'bool') return 'Boolean';
  if (typeof type === 'string') return 'Number';
  if ('list' in type) return `List of ${typeText(type.list)}`;
  if ('set' in type) return `Set of ${typeText(type.set)}`;
  if ('map' in type) return `Map of ${typeText(type.map)}`;
  return 'Object';
}

function parameterText({ name, type }: Parameter): string {
  return `${name} ${typeText(type).toLowerCase()}`;
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, map: (value: T) => U) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}
