import { z } from 'zod';
import { once } from '../../core/lib/once.ts';
import { antivirusHost } from './antivirus.ts';
import { type Action, actions, api } from './api.ts';
import { customFieldCategory } from './custom-fields.ts';
import type { Endpoint, LazySchema, ResponseContract } from './endpoint.ts';
import { errorBody } from './error-body.ts';
import { listedGroup, listedHost, listedHostWithGroup } from './hosts.ts';
import { hardwareHost, systemHost } from './inventory.ts';
import { reportToken } from './report.ts';

export type JsonObject = { readonly [key: string]: unknown };

/** Schemas that get a name of their own; all others are inlined. */
const named = once(
  (): ReadonlyMap<unknown, string> =>
    new Map<z.ZodType, string>([
      [errorBody(), 'Error'],
      [listedHost(), 'Host'],
      [listedHostWithGroup(), 'HostWithGroup'],
      [listedGroup(), 'Group'],
      [reportToken(), 'ReportToken'],
      [hardwareHost(), 'HardwareHost'],
      [systemHost(), 'SystemHost'],
      [customFieldCategory(), 'CustomFieldCategory'],
      [antivirusHost(), 'AntivirusHost'],
    ]),
);

/** The endpoint table as an OpenAPI 3.1 document: the same table, the same bytes. */
export function openApiDocument(): JsonObject {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Remote access management',
      version: '1',
      description:
        'The API calls that Rampart uses, generated from its endpoint table. Ids are 64-bit integers: a reader that makes ' +
        "doubles of JSON numbers rounds them. A body may begin with the prefix `)]}',`. Every request says " +
        '`Accept: application/JSON`, and one with a body `Content-Type: application/JSON`.',
    },
    servers: [
      {
        url: '{base_url}',
        variables: { base_url: { default: 'https://service.example', description: 'the service' } },
      },
    ],
    security: [{ basic: [] }, { json: [] }],
    paths: paths(),
    components: {
      schemas: Object.fromEntries([...named()].map(([type, name]) => [name, inline(type as z.ZodType)])),
      securitySchemes: {
        basic: {
          type: 'http',
          scheme: 'basic',
          description: 'companyId as the user, the PSK as the password',
        },
        json: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'a JSON object: {"companyId": number, "psk": string}',
        },
      },
    },
  };
}

function paths(): JsonObject {
  const byPath: Record<string, Record<string, JsonObject>> = {};
  for (const action of actions) {
    const endpoint: Endpoint = api[action];
    byPath[endpoint.path] = {
      ...byPath[endpoint.path],
      [endpoint.method.toLowerCase()]: operation(action, endpoint),
    };
  }
  return byPath;
}

function operation(action: Action, endpoint: Endpoint): JsonObject {
  const parameters = Object.entries(endpoint.parameters).map(([name, type]) => ({
    name,
    in: 'path',
    required: true,
    schema: schemaOf(type()),
  }));
  return {
    operationId: action,
    summary: endpoint.summary,
    description: `Specification: ${endpoint.spec}.`,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(endpoint.request === null
      ? {}
      : { requestBody: { required: true, content: json(endpoint.request) } }),
    responses: Object.fromEntries(
      Object.entries(endpoint.responses).map(([status, contract]) => [status, response(contract)]),
    ),
    'x-rampart-rate-limited': endpoint.rateLimited,
    'x-rampart-repetition': endpoint.repetition,
  };
}

function response({ meaning, body }: ResponseContract): JsonObject {
  return { description: meaning, ...(body === null ? {} : { content: json(body) }) };
}

function json(type: LazySchema): JsonObject {
  return { 'application/json': { schema: schemaOf(type()) } };
}

function schemaOf(type: z.ZodType): JsonObject {
  const name = named().get(type);
  return name === undefined ? inline(type) : reference(name);
}

function reference(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

/** The schema of the wire format, with integers, although we read them as text. */
function inline(type: z.ZodType): JsonObject {
  const { $schema: _, ...schema } = z.toJSONSchema(type, {
    io: 'input',
    override({ zodSchema, jsonSchema }) {
      const name = Object.is(zodSchema, type) ? undefined : named().get(zodSchema);
      if (name === undefined) return;
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
      Object.assign(jsonSchema, reference(name));
    },
  });
  return schema;
}
