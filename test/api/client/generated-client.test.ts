import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { serverApiPage } from '../../../bin/docs/server-api-page.ts';
import { createClient } from '../../../src/api/client/generated/rampart-client.ts';
import { serverApiDocument } from '../../../src/server/http/open-api.ts';
import { routes } from '../../../src/server/start/routes.ts';

const root = join(import.meta.dirname, '../../..');
const read = (name: string) => readFileSync(join(root, name), 'utf8');

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
}
type Methods = Readonly<Record<string, Operation>>;

describe('what is generated from the routes of the server', () => {
  const document = serverApiDocument(routes);

  test('is the committed OpenAPI document: npm run schemas writes it', () => {
    expect(JSON.parse(read('schema/server-api.json'))).toEqual(document);
  });

  test('is the committed reference: npm run docs writes it', () => {
    expect(read('docs/reference/server-api.md')).toBe(serverApiPage());
  });

  test('is a client with one method for each operation except downloads', () => {
    const client = createClient({ url: 'http://127.0.0.1:1', token: 'secret' });
    const { paths } = document as { readonly paths: Readonly<Record<string, Methods>> };
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    const answered = operations.filter(
      ({ responses }) => !('application/x-ndjson' in (responses['200']?.content ?? {})),
    );
    expect(Object.keys(client)).toEqual(answered.map(({ operationId }) => operationId));
  });
});
