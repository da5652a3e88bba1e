import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { terraformPages } from '../../../bin/terraform-docs/pages.ts';

const folder = join(import.meta.dirname, '../../../docs/terraform');

test('the pages match the schemas and the examples: node bin/write-terraform-docs.ts', () => {
  const written = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md') && !path.startsWith('guides'))
    .map((path) => [path, readFileSync(join(folder, path), 'utf8')] as const);
  expect(new Map(written)).toEqual(terraformPages());
});

test('every resource, data source, ticket and function has an example', () => {
  for (const [path, text] of terraformPages())
    expect([path, text.includes('## Example Usage')]).toEqual([path, true]);
});
