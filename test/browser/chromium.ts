import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import type { Plan } from '../../src/core/plan/types/plan.ts';
import { paintHtml } from '../../src/output/page/html.ts';
import { toRows } from '../../src/output/review/rows.ts';
import { launchChromium } from '../given/chromium.ts';
import { newFolder } from '../given/folder.ts';

/** A page as a reader has it open, and what went wrong on it. */
export interface OpenPage {
  readonly page: Page;
  /** Messages on the console, exceptions, dialogs, violated policies and requests beyond the file itself. */
  readonly faults: readonly string[];
}

/** Opens reports in a browser that all tests of the file share: of a plan, or a page that is already written. */
export function givenBrowser(): (
  report: Plan | string,
  options?: BrowserContextOptions,
) => Promise<OpenPage> {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());
  return async (report, options = {}) => {
    if (browser === undefined) throw new Error('the browser is not there');
    const html = typeof report === 'string' ? report : paintHtml(toRows(report));
    return openReport(browser, html, options);
  };
}

async function openReport(browser: Browser, html: string, options: BrowserContextOptions): Promise<OpenPage> {
  const folder = newFolder();
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  onTestFinished(async () => {
    await context.close();
    await rm(folder, { recursive: true, force: true });
  });
  const file = join(folder, 'report.html');
  await writeFile(file, html);
  const url = pathToFileURL(file).href;
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => faults.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => faults.push(`exception: ${error.message}`));
  page.on('dialog', (dialog) => faults.push(`dialog: ${dialog.message()}`));
  page.on('request', (request) => {
    if (request.url().split('#')[0] !== url) faults.push(`request: ${request.url()}`);
  });
  await page.goto(url);
  return { page, faults };
}
