import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const docs = join(import.meta.dirname, '..', '..', 'docs');

it('the pages of the site have at most 80,000 words', () => {
  const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.md') && !name.startsWith('contributing/'),
  );
  const words = pages.map((name) => readFileSync(join(docs, name), 'utf8').split(/\s+/).length);
  expect(words.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(80_000);
});
