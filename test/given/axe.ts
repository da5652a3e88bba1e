import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

/** The smaller file compiles in half the time. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * What axe checks: everything, only the colors, which are all that differs between the themes, everything else, or only
 * problems that an author of Markdown can cause.
 */
const rules = {
  all: {},
  contrast: { runOnly: ['color-contrast'] },
  structure: { rules: { 'color-contrast': { enabled: false } } },
  text: {
    runOnly: [
      'definition-list',
      'dlitem',
      'document-title',
      'duplicate-id-aria',
      'empty-heading',
      'empty-table-header',
      'frame-title',
      'heading-order',
      'image-alt',
      'image-redundant-alt',
      'label',
      'link-name',
      'list',
      'listitem',
      'page-has-heading-one',
      'scope-attr-valid',
      'svg-img-alt',
      'table-duplicate-name',
      'td-headers-attr',
      'th-has-data-cells',
    ],
  },
} as const;

/** What axe finds wrong with the page as it is, without the parts that CSS selectors name. */
export async function axeFindings(
  page: Page,
  kind: keyof typeof rules = 'all',
  without: readonly string[] = [],
): Promise<readonly string[]> {
  if (await page.evaluate<boolean>('globalThis.axe === undefined')) await page.evaluate(source);
  const options = JSON.stringify({ ...rules[kind], resultTypes: ['violations'], preload: false });
  const context = without.length === 0 ? 'document' : JSON.stringify({ exclude: without });
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(${context}, ${options})`);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}
