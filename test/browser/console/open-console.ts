import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { launchChromium } from '../../given/chromium.ts';
import { builtConsole } from '../../given/console/built-console.ts';
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

export interface ConsoleOptions {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: 'light' | 'dark';
  /** What else a reader's browser has, such as another language. Such a reader gets a window of their own. */
  readonly reader?: BrowserContextOptions;
  /** Routes that differ from those of a usual server. */
  readonly routes?: Readonly<Record<string, FakeRoute>>;
  /** Faults that the test causes, such as failed requests. */
  readonly expected?: RegExp;
}

interface Window {
  readonly context: BrowserContext;
  readonly page: Page;
}

const usualSize = { width: 1440, height: 900 };
const usualReader: BrowserContextOptions = {
  viewport: usualSize,
  locale: 'en-GB',
  timezoneId: 'Europe/Berlin',
  reducedMotion: 'reduce',
};

/**
 * Opens the console. The tests of a file take turns with one browser, one window and one server, because new ones take
 * longer than most tests. After each test, the window forgets what it stored.
 */
export function givenConsole(): (path: string, options?: ConsoleOptions) => Promise<OpenConsole> {
  let browser: Browser | undefined;
  let api: FakeApi | undefined;
  let shared: Window | undefined;
  let note: (fault: string) => void = () => {};
  beforeAll(async () => {
    api = await openFakeApi(await builtConsole(), {});
    browser = await launchChromium();
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await api?.close();
  });

  const openWindow = async (reader: BrowserContextOptions, server: FakeApi): Promise<Window> => {
    const context = await (browser as Browser).newContext({ ...usualReader, ...reader });
    context.on('page', (page) => watch(page, server, (fault) => note(fault)));
    const page = await context.newPage();
    await page.clock.setFixedTime(readAt);
    return { context, page };
  };

  return async (path, { routes = {}, expected, viewport = usualSize, colorScheme, reader } = {}) => {
    if (browser === undefined || api === undefined) throw new Error('the browser is not there');
    const server = api;
    const window = await (reader === undefined
      ? (shared ??= await openWindow({}, server))
      : openWindow(reader, server));
    onTestFinished(async () => {
      note = () => {};
      if (window === shared) await forget(window);
      else await window.context.close();
    });
    const { page, context } = window;
    const faults: string[] = [];
    await page.goto('about:blank');
    server.reset({ ...usualRoutes(), ...workRoutes(), ...routes });
    note = (fault) => {
      if (expected?.test(fault) !== true) faults.push(fault);
    };
    await page.emulateMedia({ colorScheme: colorScheme ?? null, media: null });
    if (reader?.viewport === undefined) await page.setViewportSize(viewport);
    if (path !== 'about:blank') await page.goto(server.address + path);
    return { page, context, api: server, faults };
  };
}

/** Resets the window. */
async function forget({ page, context }: Window): Promise<void> {
  for (const each of context.pages()) if (each !== page) await each.close();
  await page.evaluate('try { localStorage.clear(); sessionStorage.clear(); } catch {}');
  await context.clearPermissions();
  await page.goto('about:blank');
}

function watch(page: Page, api: FakeApi, note: (fault: string) => void): void {
  page.on('console', (message) => note(`console: ${message.text()}`));
  page.on('pageerror', (error) => note(`exception: ${error.message}`));
  page.on('dialog', (dialog) => note(`dialog: ${dialog.message()}`));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${api.address}/`) && url !== 'about:blank') note(`request: ${url}`);
  });
}

/** By how many pixels the page is wider than the window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/** Waits until the page shows its data. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').waitFor();
  await page.locator('.skeleton, .skeleton-line').first().waitFor({ state: 'detached' });
}
