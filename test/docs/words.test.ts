import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { questions } from './searches.ts';

const docs = join(import.meta.dirname, '..', '..', 'docs');
const textOf = (page: string) => readFileSync(join(docs, page), 'utf8');
const count = (text: string) => text.trim().split(/\s+/).length;
const wordsOf = (page: string) => count(textOf(page));
const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.md') && !name.startsWith('contributing/'),
);

/** Commands, the server API and the Terraform provider, except for its guides: programs write these pages. */
const isGenerated = (page: string) =>
  /^(?:reference\/(?:commands|server-api)\.md|terraform\/(?!guides\/))/.test(page);

it('the pages of the site have at most 80,000 words', () => {
  expect(pages.reduce((sum, page) => sum + wordsOf(page), 0)).toBeLessThanOrEqual(80_000);
});

it('people write at most 62,500 of these words', () => {
  const written = pages
    .filter((page) => !isGenerated(page))
    .map((page) => count(textOf(page).replaceAll(/<!-- keys: .*?<!-- end -->/gs, '')));
  expect(written.reduce((sum, words) => sum + words, 0)).toBeLessThanOrEqual(62_500);
});

it.each(Object.entries(questions))('a page answers "%s" within 400 words', (_question, page) => {
  expect(wordsOf(`${page.slice(1)}.md`)).toBeLessThanOrEqual(400);
});
