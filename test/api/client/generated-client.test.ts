import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { clientFiles } from '../../../bin/client/write-client.ts';
import { serverApiPage } from '../../../bin/docs/server-api-page.ts';
import { openApiDocument } from '../../../src/server/http/open-api.ts';
import { routes } from '../../../src/server/start/routes.ts';

const root = join(import.meta.dirname, '../../..');
const read = (name: string) => readFileSync(join(root, name), 'utf8');

describe('what is generated from the routes of the server', () => {
  const document = openApiDocument(routes);

  test('is the committed OpenAPI document: npm run schemas writes it', () => {
    expect(JSON.parse(read('schema/server-api.json'))).toEqual(document);
  });

  test('is the committed reference: npm run docs writes it', () => {
    expect(read('docs/reference/server-api.md')).toBe(serverApiPage(routes));
  });

  test('is the committed client: npm run schemas writes it', () => {
    for (const [name, text] of Object.entries(clientFiles(document))) expect(read(name), name).toBe(text);
  });
});
