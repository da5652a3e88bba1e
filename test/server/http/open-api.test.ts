import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { serverApiDocument } from '../../../src/server/http/open-api.ts';
import { routes } from '../../../src/server/start/routes.ts';

describe('the OpenAPI document of the server', () => {
  const document = serverApiDocument(routes);

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

  test('has examples for each operation, which its own shapes accept', () => {
    type Content = Readonly<Record<string, { readonly example: unknown }>> | undefined;
    interface Documented {
      readonly requestBody?: { readonly content: Content };
      readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
    }
    const paths = document['paths'] as Record<string, Record<string, Documented>>;
    const wrong: unknown[] = [];
    const exampleIn = (content: Content) => Object.values(content ?? {})[0]?.example;
    for (const { id, path, method, body, answer, status = 200 } of routes) {
      const operation = paths[path]?.[method];
      if (body !== undefined) {
        const given = body.safeParse(exampleIn(operation?.requestBody?.content));
        wrong.push(...(given.error?.issues ?? []).map((issue) => [id, issue]));
      }
      if (answer === null) continue;
      const example = exampleIn(operation?.responses[status]?.content);
      const answered = answer.safeParse(example);
      wrong.push(...(answered.error?.issues ?? []).map((issue) => [id, issue]));
      expect(example).not.toEqual({});
    }
    expect(wrong).toEqual([]);
  });

  test('names the parameters of each path', () => {
    for (const { id, path, params } of routes) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(Object.keys(params?.shape ?? {}), id).toEqual(inPath);
    }
  });
});
