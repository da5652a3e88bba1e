import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { questions } from './searches.ts';

const docs = join(import.meta.dirname, '..', '..', 'docs');
const wordsOf = (page: string) => readFileSync(join(docs, page), 'utf8').trim().split(/\s+/).length;

it('the pages of the site have at most 80,000 words', () => {
  const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.md') && !name.startsWith('contributing/'),
  );
  expect(pages.reduce((sum, page) => sum + wordsOf(page), 0)).toBeLessThanOrEqual(80_000);
});

it.each(Object.entries(questions))('a page answers "%s" within 400 words', (_question, page) => {
  expect(wordsOf(`${page.slice(1)}.md`)).toBeLessThanOrEqual(400);
});
