import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { openApiDocument } from '../../../src/server/http/open-api.ts';
import { routes } from '../../../src/server/start/routes.ts';

describe('the OpenAPI document of the server', () => {
  const document = openApiDocument(routes);

  test('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
  });

  test('has one operation for each route, under its id', () => {
    const paths = document['paths'] as Record<string, Record<string, { operationId: string }>>;
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => [operationId, method, path].join(' ')),
    );
    expect(documented.sort()).toEqual(
      routes.map(({ id, method, path }) => [id, method, path].join(' ')).sort(),
    );
  });

  test('names the parameters of each path', () => {
    for (const { id, path, params } of routes) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(Object.keys(params?.shape ?? {}), id).toEqual(inPath);
    }
  });
});
