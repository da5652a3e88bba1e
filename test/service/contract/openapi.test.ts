import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { openApiDocument } from '../../../src/service/contract/openapi.ts';
import { failuresOfAll, specTable } from './spec-table.ts';

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, unknown>>;
  readonly parameters?: readonly { readonly name: string; readonly schema: unknown }[];
  readonly requestBody?: unknown;
  readonly 'x-rampart-rate-limited': boolean;
  readonly 'x-rampart-repetition': string;
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

const document = openApiDocument();
const paths = document['paths'] as Paths;

test('schema/openapi.json is up to date: `npm run schemas` writes it', () => {
  const file = join(import.meta.dirname, '../../../schema/openapi.json');
  expect(readFileSync(file, 'utf8')).toBe(`${JSON.stringify(document, null, 2)}\n`);
});

test('the document is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  expect(await validator.validate(structuredClone(document))).toMatchObject({ valid: true });
  expect(validator.version).toBe('3.1');
});

test('the validator finds errors', async () => {
  const broken = { ...structuredClone(document), paths: { 'no-slash': { get: { responses: 5 } } } };
  expect(await new Validator().validate(broken)).toMatchObject({ valid: false });
});

test.each(specTable)('$method $path is in it', (row) => {
  const operation = paths[row.path]?.[row.method.toLowerCase()] as Operation;
  expect(operation.operationId).toBe(row.action);
  expect(Object.keys(operation.responses).map(Number)).toEqual(
    [...new Set([row.success, ...row.failures, ...failuresOfAll])].sort((a, b) => a - b),
  );
  expect(operation['x-rampart-rate-limited']).toBe(row.failures.includes(429));
  expect('requestBody' in operation).toBe(row.request !== null);
});

test('ids are 64-bit integers everywhere', () => {
  const rename = paths['/public-api/v1/hosts/{host-id}/description']?.['put'] as Operation;
  expect(rename.parameters).toEqual([
    { name: 'host-id', in: 'path', required: true, schema: { type: 'integer', format: 'int64' } },
  ]);
  const move = paths['/public-api/v1/host-groups/{groupid}/hosts']?.['put'] as Operation;
  expect(move.requestBody).toMatchObject({
    content: {
      'application/json': {
        schema: { properties: { hostIds: { type: 'array', items: { type: 'integer', format: 'int64' } } } },
      },
    },
  });
});

test('every reference has a target', () => {
  const schemas = (document['components'] as { readonly schemas: object }).schemas;
  const references = JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g);
  const names = new Set([...references].map((match) => match[1] as string));
  expect([...names].sort()).toEqual(Object.keys(schemas).sort());
});
