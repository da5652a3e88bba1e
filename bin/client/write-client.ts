import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type JsonSchema, memberText, typeText } from './type-text.ts';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

const root = join(import.meta.dirname, '../..');
const folder = 'src/api/client';
const head =
  '// Written by `npm run schemas` from schema/server-api.json: change the routes of the server, not this file.\n';
/** Shapes that are given to the server. */
const given = /(Request|^New\w+)$/;

/**
 * The files of the generated client by their paths.
 *
 * @public
 */
export function clientFiles(document: unknown): Readonly<Record<string, string>> {
  const { paths, components } = document as Document;
  const shapes = Object.entries(components.schemas).map(([name, schema]) => shapeText(name, schema));
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => methodText(method, path, operation)),
  );
  const used = (name: string) => operations.some((text) => new RegExp(`\\b${name}\\b`).test(text));
  const names = Object.keys(components.schemas).filter(used).sort();
  const client = `${head}/* oxlint-disable max-lines */
import { type EventOptions, readEvents } from './read-events.ts';
import { type CallOptions, type ClientOptions, createSender, type ServerAnswer } from './send.ts';
import type { ${names.join(', ')} } from './shapes.ts';

/** A client of a Rampart server. No method rejects: a failure is a value with a problem. */
export type RampartClient = ReturnType<typeof createClient>;

/** A client of the server at an address, with a token of it. */
export function createClient(options: ClientOptions) {
  const send = createSender(options);
  return {
${operations.join('\n')}
  };
}
`;
  return {
    [`${folder}/shapes.ts`]: format(`${head}/* oxlint-disable max-lines */\n\n${shapes.join('\n')}`),
    [`${folder}/rampart-client.ts`]: format(client),
  };
}

function shapeText(name: string, schema: JsonSchema): string {
  const text = typeText(schema, given.test(name) ? 'given' : 'answered');
  return text.startsWith('{') ? `export interface ${name} ${text}\n` : `export type ${name} = ${text};\n`;
}

/** Writes them, and returns their names. */
export function writeClient(document: unknown): readonly string[] {
  const files = Object.entries(clientFiles(document));
  for (const [name, text] of files) writeFileSync(join(root, name), text);
  return files.map(([name]) => name);
}

function methodText(method: string, path: string, operation: Operation): string {
  const { operationId, summary, parameters = [], requestBody, responses } = operation;
  const doc = `    /** ${summary} */`;
  const [content] = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, each]) => each.content ?? {});
  if (content?.['text/event-stream'] !== undefined)
    return `${doc}\n    ${operationId}: (options: EventOptions = {}) => readEvents<ServerEvent>(send, '${path}', options),`;
  const answer = content?.['application/json']?.schema;
  const inputs = parameters.filter((each) => each.in !== 'header');
  const body = requestBody?.content['application/json']?.schema;
  const members = [
    ...inputs.map(({ name, required, schema }) => memberText(name, schema, required !== true, 'given')),
    ...(body === undefined ? [] : [memberText('body', body, false, 'given')]),
  ];
  const isNeeded = body !== undefined || inputs.some(({ required }) => required === true);
  const input = members.length === 0 ? [] : [`input: { ${members.join(' ')} }${isNeeded ? '' : ' = {}'}`];
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `\${encodeURIComponent(input.${name})}`);
  const query = inputs.filter((each) => each.in === 'query').map(({ name }) => `${name}: input.${name}`);
  const request = [
    `method: '${method.toUpperCase()}'`,
    address === path ? `path: '${path}'` : `path: \`${address}\``,
    ...(query.length === 0 ? [] : [`query: { ${query.join(', ')} }`]),
    ...(body === undefined ? [] : ['body: input.body']),
  ];
  const result = answer === undefined ? 'null' : typeText(answer, 'answered');
  return `${doc}
    ${operationId}: (${[...input, 'options: CallOptions = {}'].join(', ')}): Promise<ServerAnswer<${result}>> =>
      send({ ${request.join(', ')} }, options),`;
}

function format(text: string): string {
  const { status, stdout, stderr } = spawnSync(
    'biome',
    ['check', '--write', '--stdin-file-path=src/api/client/shapes.ts'],
    {
      cwd: root,
      input: text,
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(stderr);
  return stdout;
}
