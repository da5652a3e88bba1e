import packageJson from '../../package.json' with { type: 'json' };
import { camel } from '../../src/cdktf/l1/arguments.ts';
import {
  type Attribute,
  type Attributes,
  type BlockBody,
  isNested,
  type Schema,
} from '../../src/terraform/protocol/schema/schema.ts';
import type { Type } from '../../src/terraform/protocol/value/value.ts';
import { providerAddress } from '../../src/terraform/provider/address.ts';
import { rampartProvider } from '../../src/terraform/provider/rampart-provider.ts';
import { docText } from './doc-text.ts';

/** The TypeScript class of something that the provider has. */
interface Binding {
  readonly name: string;
  readonly type: string;
  readonly base: 'RampartResource' | 'RampartDataSource' | 'RampartEphemeral' | 'ProviderBlock';
  readonly schema: Schema;
  readonly canImport?: boolean;
}

const head = `// Written by \`npm run generate\` from the provider's schema: change src/terraform/provider, not this file.
import type { ImportableResource, IResolvable, TerraformMetaArguments, TerraformProvider } from 'cdktf';
import type { Construct } from 'constructs';
import { ProviderBlock } from '../l1/provider-block.ts';
import { RampartDataSource } from '../l1/rampart-data-source.ts';
import { RampartEphemeral } from '../l1/rampart-ephemeral.ts';
import { importable, RampartResource } from '../l1/rampart-resource.ts';
import { tokensAt } from '../l1/tokens-at.ts';
`;

/** The source of `src/cdktf/generated/bindings.ts`: a class for everything that the provider has. */
export function bindingsText(): string {
  const clock = { now: () => 0, sleep: async () => undefined };
  const provider = rampartProvider({ env: {}, clock });
  const { schema, resources = {}, dataSources = {}, ephemerals = {} } = provider;
  const bindings: readonly Binding[] = [
    { name: 'RampartProvider', type: 'rampart', base: 'ProviderBlock', schema },
    ...Object.entries(resources).map(([type, each]) => ({
      name: pascal(short(type)),
      type,
      base: 'RampartResource' as const,
      schema: each.schema,
      canImport: each.import !== undefined,
    })),
    ...Object.entries(dataSources).map(([type, each]) => ({
      name: `DataRampart${pascal(short(type))}`,
      type,
      base: 'RampartDataSource' as const,
      schema: each.schema,
    })),
    ...Object.entries(ephemerals).map(([type, each]) => ({
      name: `Ephemeral${pascal(short(type))}`,
      type,
      base: 'RampartEphemeral' as const,
      schema: each.schema,
    })),
  ];
  const names = new Set(bindings.flatMap(({ schema: body }) => namesIn(body)));
  const doc = (text: string) => docText(text, (word) => (names.has(word) ? camel(word) : word));
  return [head, ...bindings.map((binding) => bindingText(binding, doc))].join('\n');
}

type Doc = (text: string) => string;

function bindingText(binding: Binding, doc: Doc): string {
  const { name, schema } = binding;
  return [
    ...configTexts(binding, doc),
    ...Object.entries(schema.attributes ?? {}).flatMap(([each, attribute]) =>
      isNested(attribute) ? [elementText(`${name}${pascal(singular(each))}`, attribute.attributes, doc)] : [],
    ),
    classText(binding, doc),
  ].join('\n');
}

/** The interface of a constructor's argument, and those of its blocks. */
function configTexts({ name, type, base, schema }: Binding, doc: Doc): readonly string[] {
  const rules = (schema.rules ?? []).map(({ description }) => ` ${capitalized(description)}.`).join('');
  const text = `The arguments of \`${type}\`. In texts, \`\${…}\` is a Terraform expression.${rules}`;
  const bases = {
    RampartResource: ' extends TerraformMetaArguments',
    RampartDataSource: ' extends TerraformMetaArguments',
    RampartEphemeral: " extends Pick<TerraformMetaArguments, 'provider' | 'dependsOn'>",
    ProviderBlock: '',
  };
  const alias =
    base === 'ProviderBlock'
      ? `  ${doc('The alias, if the stack has several providers.')}  readonly alias?: string;\n`
      : '';
  return [
    ...blockTexts(name, schema, doc),
    `${doc(text)}export interface ${name}Config${bases[base]} {\n${membersText(name, schema, doc)}${alias}}\n`,
  ];
}

/** The interfaces of the blocks in a body, the inner ones first. */
function blockTexts(name: string, { blocks = {} }: BlockBody, doc: Doc): readonly string[] {
  return Object.entries(blocks).flatMap(([each, block]) => {
    const own = `${name}${pascal(each)}`;
    return [
      ...blockTexts(own, block, doc),
      `${doc(block.description)}export interface ${own}Block {\n${membersText(own, block, doc)}}\n`,
    ];
  });
}

function membersText(name: string, { attributes = {}, blocks = {} }: BlockBody, doc: Doc): string {
  const members = argumentsIn(attributes).map(([each, attribute]) => {
    const warning = attribute.sensitive
      ? ' A literal value would be written to the stack: give a sensitive `TerraformVariable`.'
      : '';
    const optional = attribute.required ? '' : '?';
    return `  ${doc(attribute.description + warning)}  readonly ${camel(each)}${optional}: ${inputType(attribute)};\n`;
  });
  const inner = Object.entries(blocks).map(([each, { nesting, description }]) => {
    const type = `${name}${pascal(each)}Block`;
    const isOne = nesting === 'single';
    return `  ${doc(description)}  readonly ${camel(each)}?: ${isOne ? type : `readonly ${type}[] | IResolvable`};\n`;
  });
  return [...members, ...inner].join('');
}

/** The interface of one element of a computed list or map. */
function elementText(name: string, attributes: Attributes, doc: Doc): string {
  const members = Object.entries(attributes).map(([each, attribute]) => {
    const kind = tokenKind(attribute);
    return `  ${doc(attribute.description)}  readonly ${camel(each)}: ${kind === 'other' ? 'IResolvable' : kind};\n`;
  });
  return `/** Tokens of one element. */\nexport interface ${name} {\n${members.join('')}}\n`;
}

function classText(binding: Binding, doc: Doc): string {
  const { name, type, base, schema, canImport } = binding;
  const { attributes = {}, rules = [] } = schema;
  const isEmptyValid =
    argumentsIn(attributes).every(([, { required }]) => !required) &&
    rules.every((rule) => rule.check({}) === null);
  const getters = Object.entries(attributes).map(([each, attribute]) =>
    getterText(name, each, attribute, doc),
  );
  return `${doc(schema.description)}export class ${name} extends ${base}<${name}Config> {
  static readonly tfResourceType = '${type}';
  static readonly providerVersion = '~> ${packageJson.version.split('.', 2).join('.')}';
${base === 'ProviderBlock' ? `  static readonly providerSource = '${providerAddress.replace(/^[^/]+\//, '')}';\n` : ''}\
  /** @internal */
  static readonly takes = ${JSON.stringify(argumentKinds(schema))} as const;
${canImport ? importText(name) : ''}
  constructor(scope: Construct, id: string, config: ${name}Config${isEmptyValid ? ' = {}' : ''}) {
    super(scope, id, config, ${name});
  }
${base === 'ProviderBlock' ? '' : getters.join('')}}
`;
}

function importText(name: string): string {
  return `
  /** Makes \`cdktf plan\` write the configuration of what is not managed yet; \`importId\` is what \`terraform import\` takes. */
  static generateConfigForImport(
    scope: Construct,
    id: string,
    importId: string,
    provider?: TerraformProvider,
  ): ImportableResource {
    return importable(scope, id, { terraformResourceType: ${name}.tfResourceType, importId }, provider);
  }
`;
}

function getterText(name: string, each: string, attribute: Attribute, doc: Doc): string {
  const [method, type] = isNested(attribute)
    ? ['interpolationForAttribute', 'IResolvable']
    : outputOf(attribute.type);
  const getter = `
  ${doc(attribute.description)}  get ${camel(each)}(): ${type} {
    return this.${method}('${each}');
  }
`;
  if (!isNested(attribute)) return getter;
  const kinds = mapped(attribute.attributes, tokenKind);
  const [at, words] =
    attribute.nested === 'map' ? ['key: string', 'by its key'] : ['index: number', 'counted from 0'];
  return `${getter}
  /** One element of \`${camel(each)}\`, ${words}. */
  ${camel(singular(each))}(${at}): ${name}${pascal(singular(each))} {
    return tokensAt(this.${camel(each)}, ${at.replace(/:.*/, '')}, ${JSON.stringify(kinds)});
  }
`;
}

/** The kinds of arguments in a body, as `src/cdktf/l1/arguments.ts` needs them. */
function argumentKinds({ attributes = {}, blocks = {} }: BlockBody): object {
  return {
    ...Object.fromEntries(argumentsIn(attributes).map(([name, each]) => [name, kindOf(typeOf(each))])),
    ...mapped(blocks, argumentKinds),
  };
}

function argumentsIn(attributes: Attributes): readonly (readonly [string, Attribute])[] {
  return Object.entries(attributes).filter(([, { required, optional }]) => required || optional);
}

function typeOf(attribute: Attribute): Type {
  if (isNested(attribute)) throw new Error('arguments with nested attributes have no binding yet');
  return attribute.type;
}

function kindOf(type: Type): 'string' | 'boolean' | 'number' | 'list' | 'map' {
  if (type === 'string') return 'string';
  if (type === 'bool') return 'boolean';
  if (type === 'number') return 'number';
  if ('map' in type) return 'map';
  if (('list' in type ? type.list : 'set' in type && type.set) === 'string') return 'list';
  throw new Error(`the type ${JSON.stringify(type)} has no binding yet`);
}

function inputType(attribute: Attribute): string {
  const type = typeOf(attribute);
  const kind = kindOf(type);
  if (kind === 'map') return `{ [key: string]: ${kindOf((type as { readonly map: Type }).map)} }`;
  return { string: 'string', boolean: 'boolean | IResolvable', number: 'number', list: 'string[]' }[kind];
}

/** The method of cdktf for a computed attribute, and the type of its token. */
function outputOf(type: Type): readonly [string, string] {
  const kind = kindOf(type);
  switch (kind) {
    case 'string':
      return ['getStringAttribute', 'string'];
    case 'boolean':
      return ['getBooleanAttribute', 'IResolvable'];
    case 'number':
      return ['getNumberAttribute', 'number'];
    case 'list':
      return ['getListAttribute', 'string[]'];
    case 'map': {
      const inner = kindOf((type as { readonly map: Type }).map);
      if (inner === 'string') return ['getStringMapAttribute', 'Readonly<Record<string, string>>'];
      if (inner === 'number') return ['getNumberMapAttribute', 'Readonly<Record<string, number>>'];
      return ['getAnyMapAttribute', 'Readonly<Record<string, unknown>>'];
    }
  }
}

function tokenKind(attribute: Attribute): 'string' | 'number' | 'other' {
  if (isNested(attribute)) return 'other';
  const kind = kindOf(attribute.type);
  return kind === 'string' || kind === 'number' ? kind : 'other';
}

/** The names of all attributes in a body. */
function namesIn({ attributes = {}, blocks = {} }: BlockBody): readonly string[] {
  return [
    ...Object.entries(attributes).flatMap(([name, each]) =>
      isNested(each) ? [name, ...namesIn(each)] : [name],
    ),
    ...Object.entries(blocks).flatMap(([name, each]) => [name, ...namesIn(each)]),
  ];
}

function short(type: string): string {
  return type.replace(/^rampart_/, '');
}

function singular(name: string): string {
  return name.replace(/ies$/, 'y').replace(/s$/, '');
}

function pascal(name: string): string {
  return capitalized(camel(name));
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function mapped<A, B>(record: Readonly<Record<string, A>>, of: (each: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([name, each]) => [name, of(each)]));
}
