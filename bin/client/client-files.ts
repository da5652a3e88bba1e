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

/** Shapes that are given to the server. */
const given = /(Request|^New\w+)$/;

/** The files of the generated client by their names, from the OpenAPI document of the server. */
export function clientFiles(document: unknown): Readonly<Record<string, string>> {
  const { paths, components } = document as Document;
  const shapes = Object.entries(components.schemas).map(([name, schema]) => shapeText(name, schema));
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => !isFile(operation))
      .map(([method, operation]) => methodText(method, path, operation)),
  );
  const used = (name: string) => operations.some((text) => new RegExp(`\\b${name}\\b`).test(text));
  const names = Object.keys(components.schemas).filter(used).sort();
  const client = `import { type EventOptions, readEvents } from '../read-events.ts';
import { createSender, type ServerAnswer, type ServerCallOptions, type ServerClientOptions } from '../send.ts';
import type { ${names.join(', ')} } from './shapes.ts';

/** A client of a Rampart server. No method rejects: a failure is a value with a problem. */
export type RampartClient = ReturnType<typeof createClient>;

/** A client of the server at an address, with a token of it. */
export function createClient(options: ServerClientOptions) {
  const send = createSender(options);
  return {
${operations.join('\n')}
  };
}
`;
  return { 'shapes.ts': shapes.join('\n'), 'rampart-client.ts': client };
}

function shapeText(name: string, schema: JsonSchema): string {
  const text = typeText(schema, given.test(name) ? 'given' : 'answered');
  return text.startsWith('{') ? `export interface ${name} ${text}\n` : `export type ${name} = ${text};\n`;
}

/** A download is no value of the client: read its address instead. */
function isFile({ responses }: Operation): boolean {
  return Object.values(responses).some(({ content }) => content?.['application/x-ndjson'] !== undefined);
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
    ${operationId}: (${[...input, 'options: ServerCallOptions = {}'].join(', ')}): Promise<ServerAnswer<${result}>> =>
      send({ ${request.join(', ')} }, options),`;
}
