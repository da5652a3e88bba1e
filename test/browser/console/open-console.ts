import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { buildConsole } from '../../../bin/console/build-console.ts';
import { type FakeApi, type FakeRoute, openFakeApi } from '../../given/console/fake-api.ts';
import { readAt } from '../../given/console/plans.ts';
import { usualRoutes } from '../../given/console/routes.ts';
import { workRoutes } from '../../given/console/work-routes.ts';

/** The console as a reader has it open. */
export interface OpenConsole {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly api: FakeApi;
  /** Messages on the console, exceptions, violations of the policy, and requests to anyone else. */
  readonly faults: readonly string[];
}

export interface ConsoleOptions extends BrowserContextOptions {
  /** Routes that differ from those of a usual server. */
  readonly routes?: Readonly<Record<string, FakeRoute>>;
  /** Faults that the test causes, such as failed requests. */
  readonly expected?: RegExp;
}

/** Builds the console, and opens it in a browser that all tests of the file share. */
export function givenConsole(): (path: string, options?: ConsoleOptions) => Promise<OpenConsole> {
  let browser: Browser | undefined;
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rampart-console-'));
    await buildConsole(folder);
    browser = await chromium.launch({
      executablePath: '/usr/bin/chromium',
      headless: true,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    });
  });
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });
  return async (path, { routes = {}, expected, ...options } = {}) => {
    if (browser === undefined) throw new Error('the browser is not there');
    const api = await openFakeApi(folder, { ...usualRoutes(), ...workRoutes(), ...routes });
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      reducedMotion: 'reduce',
      ...options,
    });
    onTestFinished(async () => {
      await context.close();
      await api.close();
    });
    const faults: string[] = [];
    const note = (fault: string) => {
      if (expected?.test(fault) !== true) faults.push(fault);
    };
    context.on('page', (page) => watch(page, api, note));
    const page = await context.newPage();
    await page.clock.setFixedTime(readAt);
    await page.goto(api.address + path);
    return { page, context, api, faults };
  };
}

function watch(page: Page, api: FakeApi, note: (fault: string) => void): void {
  page.on('console', (message) => note(`console: ${message.text()}`));
  page.on('pageerror', (error) => note(`exception: ${error.message}`));
  page.on('dialog', (dialog) => note(`dialog: ${dialog.message()}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(`${api.address}/`)) note(`request: ${request.url()}`);
  });
}

/** What axe finds wrong with the page as it is. */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>("axe.run({ resultTypes: ['violations'] })");
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}

/** By how many pixels the page is wider than the window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/** Waits until the page shows what it read. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').waitFor();
  await expect.poll(() => page.locator('.skeleton, .skeleton-line').count()).toBe(0);
}
