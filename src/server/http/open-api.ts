import { z } from 'zod';
import { namedShapes, problemBody } from '../../api/resource.ts';
import { once } from '../../core/lib/once.ts';
import { type ExampleSchema, exampleOf } from './example-of.ts';
import type { ApiRoute } from './route.ts';

type JsonObject = Readonly<Record<string, unknown>>;

const description =
  'The API of Rampart Server. The console and the command line use nothing else. Lists are paged: send `next` of one page ' +
  'as `cursor` of the following one. A query parameter or a field of a body that an operation does not know is refused. ' +
  'Writes take the header `Idempotency-Key`: the same key gives the same answer. Errors ' +
  "are `application/problem+json` with Rampart's codes.";

/** The routes as an OpenAPI 3.1 document: the same table, the same bytes. */
export function serverApiDocument(routes: readonly ApiRoute[]): JsonObject {
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const route of routes) {
    paths[route.path] ??= {};
    Object.assign(paths[route.path] ?? {}, { [route.method]: operationOf(route) });
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Rampart Server', version: '1', description },
    servers: [
      {
        url: '{origin}',
        variables: { origin: { default: 'http://127.0.0.1:8080', description: 'the server' } },
      },
    ],
    security: [{ token: [] }, { session: [] }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: shapes(),
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'A token of `POST /api/v1/tokens`, or of the exchange of a pipeline token.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'rampart-session',
          description: 'A session of the console. Writes also send the header `X-Rampart-Csrf`.',
        },
      },
    },
  };
}

function operationOf(route: ApiRoute): JsonObject {
  const { id, method, tag, summary, access, params, query, body, answer, status = 200, media } = route;
  const isConditional = method === 'get' && media === undefined;
  return {
    operationId: id,
    tags: [tag],
    summary,
    'x-rampart-action': access.action,
    parameters: [
      ...parametersOf(params, 'path'),
      ...parametersOf(query, 'query'),
      ...(isConditional ? [ifNoneMatch] : []),
      ...(method === 'get' ? [] : [idempotencyKey]),
      ...(route.guards === undefined ? [] : [ifMatch]),
    ],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { 'application/json': withExample(body, { isRequest: true }) },
          },
        }),
    responses: {
      [status]:
        answer === null
          ? { description: 'Done.' }
          : {
              description: statusWords[status] ?? 'The answer.',
              content: { [media ?? 'application/json']: withExample(answer, { isRequest: false }) },
            },
      ...(isConditional ? { 304: { description: 'It has not changed.' } } : {}),
      default: {
        description: 'What is wrong, and what to do.',
        content: { 'application/problem+json': { schema: schemaOf(problemBody) } },
      },
    },
  };
}

/** A schema with an example: the one that its shape declares, or one made from it. */
function withExample(
  schema: z.ZodType,
  { isRequest }: { readonly isRequest: boolean },
): { readonly schema: JsonObject; readonly example: unknown } {
  const made = schemaOf(schema);
  const meta = z.globalRegistry.get(schema) as { readonly examples?: readonly unknown[] } | undefined;
  const declared = meta?.examples?.[0];
  return {
    schema: made,
    example: declared ?? exampleOf(made, { shapes: shapes(), isRequest }),
  };
}

const shapes = once(() => {
  const options = { metadata: namedShapes, io: 'input', override: tidy, uri: referenceTo } as const;
  const { schemas } = z.toJSONSchema(namedShapes, options);
  // In the order of the names, whichever module is loaded first.
  const named = Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    named.map(([name, { $schema: _schema, $id: _id, id: _name, ...shape }]) => [
      name,
      shape as ExampleSchema,
    ]),
  );
});

function parametersOf(schema: z.ZodObject | undefined, place: 'path' | 'query'): readonly JsonObject[] {
  return Object.entries(schema?.shape ?? {}).map(([name, each]) => {
    const { description, ...rest } = schemaOf(each as z.ZodType);
    return {
      name,
      in: place,
      required: place === 'path' || !(each as z.ZodType).safeParse(undefined).success,
      ...(description === undefined ? {} : { description }),
      schema: rest,
    };
  });
}

const statusWords: Readonly<Record<number, string>> = {
  200: 'The answer.',
  201: 'It was created.',
  202: 'It was queued. Its end is an event.',
};

const idempotencyKey = header(
  'Idempotency-Key',
  'The same key gives the same answer, and does the work once.',
  {
    minLength: 1,
    maxLength: 255,
  },
);
const ifNoneMatch = header('If-None-Match', 'The ETag of an earlier answer: 304 if nothing has changed.');
const ifMatch = header('If-Match', 'The ETag that you decided on: 412 if it has changed since.');

function header(name: string, words: string, limits: JsonObject = {}): JsonObject {
  return { name, in: 'header', required: false, description: words, schema: { type: 'string', ...limits } };
}

/** A schema as OpenAPI 3.1 has it, which is JSON Schema. Named shapes become references. */
function schemaOf(schema: z.ZodType): JsonObject {
  const name = namedShapes.get(schema)?.id;
  if (name !== undefined) return { $ref: referenceTo(name) };
  // As a request has it: fields with a default are optional, and objects may get fields that readers do not know yet.
  const made = z.toJSONSchema(schema, { metadata: namedShapes, io: 'input', override: tidy });
  const { $schema: _schema, $defs: _defs, ...inline } = made;
  return JSON.parse(JSON.stringify(inline).replaceAll('"#/$defs/', `"${referenceTo('')}`)) as JsonObject;
}

function referenceTo(name: string): string {
  return `#/components/schemas/${name}`;
}

/**
 * Meanings are in another registry than names. A format and its pattern mean the same, and every integer of JSON is a
 * safe one.
 */
function tidy({ zodSchema, jsonSchema }: Made): void {
  const { description } = z.globalRegistry.get(zodSchema) ?? {};
  if (description !== undefined) jsonSchema.description = description;
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

interface Made {
  readonly zodSchema: z.core.$ZodType;
  readonly jsonSchema: z.core.JSONSchema.BaseSchema;
}
