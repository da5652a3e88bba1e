import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rampartProvider } from '../../src/terraform/provider/rampart-provider.ts';
import {
  type AttributeDocumentation,
  type BlockDocumentation,
  documentationOf,
  type FunctionDocumentation,
  type ResourceDocumentation,
  type SchemaDocumentation,
} from './documentation.ts';

const examples = join(import.meta.dirname, '../../examples/terraform');

/** Every page in the registry's form that follows from the schemas, by its path below `docs/terraform`. */
export function terraformPages(): ReadonlyMap<string, string> {
  const clock = { now: () => 0, sleep: async () => undefined };
  const docs = documentationOf(rampartProvider({ env: {}, clock }));
  const listed = <T>(
    record: Readonly<Record<string, T>>,
    page: (name: string, of: T) => readonly [string, string],
  ) => Object.entries(record).map(([name, of]) => page(name, of));
  return new Map([
    ['index.md', schemaPage('rampart provider', docs.provider, 'provider/provider.tf')],
    ...listed(docs.resources, (name, of) => [
      `resources/${short(name)}.md`,
      schemaPage(`${name} (Resource)`, of, `resources/${name}/resource.tf`) +
        fenced('## Import', `resources/${name}/import.sh`, 'shell') +
        identityText(name, of),
    ]),
    ...listed(docs.dataSources, (name, of) => [
      `data-sources/${short(name)}.md`,
      schemaPage(`${name} (Data Source)`, of, `data-sources/${name}/data-source.tf`),
    ]),
    ...listed(docs.ephemerals, (name, of) => [
      `ephemeral-resources/${short(name)}.md`,
      schemaPage(`${name} (Ephemeral Resource)`, of, `ephemeral-resources/${name}/ephemeral-resource.tf`),
    ]),
    ...listed(docs.lists, (name, of) => [
      `list-resources/${short(name)}.md`,
      schemaPage(`${name} (List Resource)`, of, `list-resources/${name}/list-resource.tfquery.hcl`),
    ]),
    ...listed(docs.actions, (name, of) => [
      `actions/${short(name)}.md`,
      schemaPage(`${name} (Action)`, of, `actions/${name}/action.tf`),
    ]),
    ...listed(docs.functions, (name, of) => [`functions/${name}.md`, functionPage(name, of)]),
  ]);
}

/** From Terraform 1.12 on, an `import` block can use the identity instead of the id. */
function identityText(name: string, { identity }: ResourceDocumentation): string {
  if (identity.length === 0) return '';
  const attributes = identity.map((each) => `    ${each.name} = "..."`).join('\n');
  const block = `import {\n  to = ${name}.example\n  identity = {\n${attributes}\n  }\n}`;
  const listed = identity.map((each) => `- \`${each.name}\` ${each.description}`).join('\n');
  return `\nFrom Terraform 1.12 on, an \`import\` block can use the identity:\n\n\`\`\`terraform\n${block}\n\`\`\`\n\n### Identity Schema\n\n${listed}\n`;
}

function short(name: string): string {
  return name.replace(/^rampart_/, '');
}

function opening(title: string, description: string): string {
  const firstSentence = `${description.split(/(?<=[.:]) /, 1)[0]?.replace(/[.:]$/, '')}.`;
  return `---\npage_title: ${JSON.stringify(title)}\ndescription: ${JSON.stringify(firstSentence)}\n---\n\n# ${title}\n\n${description}\n`;
}

function schemaPage(title: string, schema: SchemaDocumentation, example: string): string {
  const rules = schema.rules.map((rule) => `- ${capitalized(rule)}.`).join('\n');
  return (
    opening(title, schema.description) +
    exampleTexts(example) +
    `\n## Schema\n${usages(schema.attributes)}${rules === '' ? '' : `\n### Rules\n\n${rules}\n`}` +
    blockTexts(schema.blocks, '')
  );
}

/** The example with the name of the page, then the others next to it. */
function exampleTexts(example: string): string {
  const folder = join(examples, dirname(example));
  const others = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.tf')) : [];
  const paths = others.map((name) => join(dirname(example), name)).filter((path) => path !== example);
  return [
    fenced('## Example Usage', example, 'terraform'),
    ...paths.sort().map((path) => fenced('', path, 'terraform').trimStart()),
  ].join('\n');
}

/** Nested blocks are described after the block that contains them. */
function blockTexts(blocks: readonly BlockDocumentation[], outer: string): string {
  return blocks
    .map(({ name, type, description, attributes, blocks: inner }) => {
      const path = `${outer}${name}`;
      const twin = blocks.find((each) => JSON.stringify(each.attributes) === JSON.stringify(attributes));
      if (twin !== undefined && twin.name !== name)
        return `\n### Block \`${path}\` (${type})\n\n${description} Arguments: see \`${outer}${twin.name}\`.\n`;
      const listed = attributes.length === 0 ? '' : `\n\n${lines(attributes.map(withUsage), '')}`;
      return `\n### Block \`${path}\` (${type})\n\n${description}${listed}\n${blockTexts(inner, `${path}.`)}`;
    })
    .join('');
}

function withUsage(attribute: AttributeDocumentation): AttributeDocumentation {
  const { usage, notes } = attribute;
  return usage === 'required' ? { ...attribute, notes: ['required', ...notes] } : attribute;
}

function usages(attributes: readonly AttributeDocumentation[]): string {
  const sections = [
    ['Required', 'required'],
    ['Optional', 'optional'],
    ['Read-Only', 'read-only'],
  ] as const;
  return sections
    .map(([title, usage]) => [title, attributes.filter((each) => each.usage === usage)] as const)
    .filter(([, own]) => own.length > 0)
    .map(([title, own]) => `\n### ${title}\n\n${lines(own, '')}\n`)
    .join('');
}

function lines(attributes: readonly AttributeDocumentation[], indent: string): string {
  return attributes
    .map(({ name, type, description, notes, attributes: inner }) => {
      const listed = notes.map((note) => ` ${capitalized(note)}.`).join('');
      const line = `${indent}- \`${name}\` (${type}) ${description}${listed}`;
      return inner.length === 0 ? line : `${line}\n${lines(inner, `${indent}  `)}`;
    })
    .join('\n');
}

function functionPage(name: string, { description, signature, parameters }: FunctionDocumentation): string {
  const listed = parameters.map((each) => `1. \`${each.name}\` ${each.description}`).join('\n');
  return (
    opening(`${name} (Function)`, description) +
    fenced('## Example Usage', `functions/${name}/function.tf`, 'terraform') +
    `\n## Signature\n\n\`\`\`text\n${signature}\n\`\`\`\n\n## Arguments\n\n${listed}\n`
  );
}

function fenced(title: string, path: string, language: string): string {
  const file = join(examples, path);
  return existsSync(file)
    ? `\n${title}\n\n\`\`\`${language}\n${readFileSync(file, 'utf8').trimEnd()}\n\`\`\`\n`
    : '';
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
