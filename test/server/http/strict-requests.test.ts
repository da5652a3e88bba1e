import { describe, expect, test } from 'vitest';
import { serverApiDocument } from '../../../src/server/http/open-api.ts';
import { routes } from '../../../src/server/start/routes.ts';
import { givenApi } from './given-api.ts';

const api = givenApi();

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: unknown;
}

const document = serverApiDocument(routes) as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
}

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    id: operation.operationId,
    method,
    path: path.replaceAll('{name}', 'berlin'),
    body: operation.requestBody?.content['application/json'].schema,
  })),
);

function resolved(schema: Schema): Schema {
  const name = schema.$ref?.replace('#/components/schemas/', '');
  return name === undefined ? schema : (document.components.schemas[name] ?? {});
}

interface Place {
  /** The path of fields to the object: `grants.0`. */
  readonly at: string;
  readonly schema: Schema;
  /** A body that has an unknown field in this object, and nothing else. */
  readonly wrong: unknown;
}

const unknown = 'surprise';

/** Every object with fields in a body. Objects with free names, such as labels, have no unknown fields. */
function objectsOf(
  given: Schema,
  at: readonly string[],
  wrap: (value: unknown) => unknown,
): readonly Place[] {
  const schema = resolved(given);
  if (schema.items !== undefined) return objectsOf(schema.items, [...at, '0'], (each) => wrap([each]));
  if (schema.properties === undefined) return [];
  return [
    { at: at.join('.'), schema, wrong: wrap({ [unknown]: 1 }) },
    ...Object.entries(schema.properties).flatMap(([name, each]) =>
      objectsOf(each, [...at, name], (value) => wrap({ [name]: value })),
    ),
  ];
}

async function send(method: string, path: string, body?: unknown) {
  const response = await fetch(`${api.url}${path}`, {
    method: method.toUpperCase(),
    headers: {
      authorization: 'Bearer admin',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

/** The path of something that exists, so that the request is refused for its content. */
async function existing(path: string): Promise<string> {
  const { id: plan } = await api.propose('lisbon');
  if (!path.includes('/runs/')) return path.replaceAll(/\{\w+\}/g, plan);
  const by = { kind: 'person', id: 'ada', name: 'Ada' } as const;
  const run = await api.store.runs.queue({ account: 'lisbon', plan, by, reason: null, steps: 1 });
  await api.store.runs.change(run?.id ?? '', { state: 'done' });
  return path.replaceAll(/\{\w+\}/g, run?.id ?? '');
}

describe('every operation of the API', () => {
  test.each(operations)('$id refuses a query parameter that it does not know, and names it', async (each) => {
    const path = await existing(each.path);
    const { status, text } = await send(each.method, `${path}?${unknown}=1`);
    expect([status, text]).toEqual([422, expect.stringContaining(`\\"${unknown}\\" is not known`)]);
    if (each.method === 'get') return;
    const inBody = await send(each.method, path, { [unknown]: 1 });
    expect([inBody.status, inBody.text]).toEqual([422, expect.stringContaining(unknown)]);
  });

  const bodies = operations.flatMap(({ id, method, path, body }) =>
    body === undefined
      ? []
      : objectsOf(body, [], (each) => each).map((place) => ({ id, method, path, ...place })),
  );

  test('has objects in its body at several depths', () => {
    expect(bodies.map(({ id, at }) => `${id} ${at}`)).toEqual(
      expect.arrayContaining(['createToken ', 'createToken grants.0', 'startRollout plans.0']),
    );
  });

  test.each(bodies)(
    '$id refuses an unknown field in its body at "$at", and names the location',
    async (each) => {
      expect(each.schema.additionalProperties).toBe(false);
      const path = await existing(each.path);
      const { status, text } = await send(each.method, path, each.wrong);
      const field = [...(each.at === '' ? [] : [each.at]), unknown].join('.');
      expect([status, text]).toEqual([422, expect.stringContaining(`\\"${field}\\" is not known`)]);
    },
  );
});
