import { OpenAPIHono, type RouteConfig } from '@hono/zod-openapi';
import { z } from 'zod';
import { problemBody } from '../../api/resource.ts';
import type { ApiRoute } from './route.ts';
import { schemaNames } from './schema-names.ts';

const description =
  'The API of Rampart Server. The console and the command line use nothing else. Lists are paged: send `next` of one page ' +
  'as `cursor` of the following one. Writes take the header `Idempotency-Key`: the same key gives the same answer. Errors ' +
  "are `application/problem+json` with Rampart's codes.";

/** The routes as an OpenAPI 3.1 document: the same table, the same bytes. */
export function openApiDocument(
  version: string,
  routes: readonly ApiRoute[],
): Readonly<Record<string, unknown>> {
  for (const [name, schema] of Object.entries(schemaNames)) z.globalRegistry.add(schema, { id: name });
  const { openAPIRegistry, getOpenAPI31Document } = new OpenAPIHono();
  openAPIRegistry.registerComponent('securitySchemes', 'token', {
    type: 'http',
    scheme: 'bearer',
    description: 'A token of the console, of `POST /api/v1/tokens`, or of the exchange of a pipeline token.',
  });
  openAPIRegistry.registerComponent('securitySchemes', 'session', {
    type: 'apiKey',
    in: 'cookie',
    name: 'rampart-session',
    description: 'A session of the console. Writes also send the header `X-Rampart-Csrf`.',
  });
  for (const route of routes) openAPIRegistry.registerPath(pathOf(route));
  return getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'Rampart Server', version, description },
    security: [{ token: [] }, { session: [] }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
  }) as unknown as Readonly<Record<string, unknown>>;
}

function pathOf(route: ApiRoute): RouteConfig {
  const { id, method, path, tag, summary, access, params, query, body, answer, status = 200, media } = route;
  const headers = [
    ...(method === 'get' ? [ifNoneMatch] : [idempotencyKey]),
    ...(route.guards === undefined ? [] : [ifMatch]),
  ];
  const request = {
    ...(params === undefined ? {} : { params }),
    ...(query === undefined ? {} : { query }),
    headers: z.object(Object.assign({}, ...headers) as Record<string, z.ZodType>),
    ...(body === undefined
      ? {}
      : { body: { required: true, content: { 'application/json': { schema: body } } } }),
  };
  return {
    operationId: id,
    method,
    path,
    tags: [tag],
    summary,
    'x-rampart-action': access.action,
    request,
    responses: {
      [status]:
        answer === null
          ? { description: 'Done.' }
          : {
              description: statusWords[status] ?? 'The answer.',
              content: { [media ?? 'application/json']: { schema: answer } },
            },
      ...(method === 'get' && media === undefined ? { 304: { description: 'It has not changed.' } } : {}),
      default: {
        description: 'What is wrong, and what to do.',
        content: { 'application/problem+json': { schema: problemBody } },
      },
    },
  };
}

const statusWords: Readonly<Record<number, string>> = {
  200: 'The answer.',
  201: 'It was created.',
  202: 'It was queued. Its end is an event.',
};

const idempotencyKey = {
  'idempotency-key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('The same key gives the same answer, and does the work once.'),
};
const ifNoneMatch = {
  'if-none-match': z
    .string()
    .optional()
    .describe('The ETag of an earlier answer: 304 if nothing has changed.'),
};
const ifMatch = {
  'if-match': z.string().optional().describe('The ETag that you decided on: 412 if it has changed since.'),
};
