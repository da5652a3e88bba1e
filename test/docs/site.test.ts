import { execFile } from 'node:child_process';
import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sourceDigest } from '../../bin/console/source-digest.ts';
import { searchOptions } from '../../docs/.vitepress/search.ts';
import { axeFindings } from '../given/axe.ts';
import { builtOnce } from '../given/built-once.ts';
import { hasChromium, launchChromium } from '../given/chromium.ts';
import { searches } from './searches.ts';

const docs = join(import.meta.dirname, '../../docs');
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** One page of each kind: all pages of a kind share their colors, which take axe longest. */
const kinds = [
  '/',
  '/start/tutorial',
  '/reference/commands',
  '/reference/desired-state',
  '/terraform/resources/host',
];

/** Pages that run their scripts: one of each kind, and the one with its own component. */
const running = [...kinds, '/reference/server-api'];

/** What surrounds the text is the same on all pages of a kind. */
const surroundings = ['.VPNav', '.VPLocalNav', '.VPSidebar', '.VPDocAside', '.VPDocFooter'];

/** The folder of the site. Its page about the server API follows from the sources. */
function builtSite(): Promise<string> {
  const madeOf = sourceDigest(['docs', 'src', 'bin/docs', 'package.json', 'package-lock.json']);
  return builtOnce('site', madeOf, async (folder) => {
    const vitepress = join(docs, '../node_modules/vitepress/bin/vitepress.js');
    await promisify(execFile)(process.execPath, [vitepress, 'build', docs, '--outDir', folder], {
      env: { PATH: process.env['PATH'], NODE_ENV: 'production' },
    });
  });
}

interface Found {
  readonly status?: number | undefined;
  readonly ids: readonly string[];
  readonly links: readonly string[];
}

/** Runs in the browser: what other pages link to, and what a page links to. */
const find = `(page) => ({
  ids: [...page.querySelectorAll('[id]')].map(({ id }) => id),
  links: [...page.querySelectorAll('a[href]')].map(({ href }) => href),
})`;

/** Runs in the browser: replaces the page by the text of another, as the site does when a reader follows a link. */
const show = `async ({ path, surroundings }) => {
  const answer = await fetch(path);
  history.replaceState(null, '', path);
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const found = (${find})(page);
  for (const each of page.querySelectorAll(surroundings.join())) each.remove();
  document.title = page.title;
  document.documentElement.lang = page.documentElement.lang;
  document.body.replaceWith(page.body);
  return { status: answer.status, ...found };
}`;

/** The site as any static host serves it: `/start/tutorial` is `start/tutorial.html`. */
function serveFolder(folder: string): Server {
  return createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://site').pathname);
    const names = [path, `${path}.html`, join(path, 'index.html')].map((name) => join(folder, name));
    const file = names.find((name) => name.startsWith(folder) && extname(name) !== '' && existsSync(name));
    if (file === undefined) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
}

describe.runIf(hasChromium)('the documentation site in Chromium', () => {
  let folder: string;
  let server: Server;
  let browser: Browser;
  let address: string;

  beforeAll(async () => {
    folder = await builtSite();
    server = serveFolder(folder);
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await launchChromium();
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  const paths = readdirSync(docs, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith('contributing/') && !name.startsWith('.'))
    .map((name) => `/${name.replace(/(index)?\.md$/, '')}`);

  interface Read {
    readonly status: number | undefined;
    readonly ids: ReadonlySet<string>;
    readonly links: readonly URL[];
    readonly violations: readonly string[];
  }

  const faults: string[] = [];
  const pages = new Map<string, Read>();
  const contrast: Record<'light' | 'dark', string[]> = { light: [], dark: [] };

  const open = async (context: BrowserContext): Promise<Page> => {
    const page = await context.newPage();
    page.on('pageerror', (error) => faults.push(`exception: ${error.message}`));
    page.on('request', (request) => {
      if (!request.url().startsWith(address)) faults.push(`request: ${request.url()}`);
    });
    return page;
  };

  const keep = (path: string, { status, ids, links }: Found, violations: readonly string[]) =>
    pages.set(path, {
      status,
      ids: new Set(ids),
      links: links.map((link) => new URL(link)),
      violations,
    });

  /** One window shows the text of one page after another. It is complete without scripts, which are the same on all pages. */
  const readTexts = async (context: BrowserContext) => {
    const page = await open(context);
    await page.route('**/*.js', (route) => route.abort());
    await page.goto(address);
    for (const path of paths.filter((each) => !running.includes(each))) {
      const found = await page.evaluate<Found>(`(${show})(${JSON.stringify({ path, surroundings })})`);
      keep(path, found, await axeFindings(page, 'text'));
    }
  };

  const readRunning = async (context: BrowserContext) => {
    const page = await open(context);
    for (const path of running) {
      await page.emulateMedia({ colorScheme: 'light' });
      const answer = await page.goto(`${address}${path}`, { waitUntil: 'load' });
      const found = await page.evaluate<Found>(`(${find})(document)`);
      const isKind = kinds.includes(path);
      const violations = await axeFindings(page, isKind ? 'structure' : 'text', isKind ? [] : surroundings);
      keep(path, { ...found, status: answer?.status() }, violations);
      if (!isKind) continue;
      for (const theme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: theme });
        await page.locator(theme === 'dark' ? 'html.dark' : 'html:not(.dark)').waitFor();
        contrast[theme].push(...(await axeFindings(page, 'contrast')).map((fault) => `${path}: ${fault}`));
      }
    }
  };

  /** Each page is loaded once for all tests. */
  beforeAll(async () => {
    const context = await browser.newContext({ colorScheme: 'light' });
    await Promise.all([readTexts(context), readRunning(context)]);
    await context.close();
  }, 240_000);

  it('has every page, and each link of a page leads to a page and a heading of it', () => {
    const anchors = new Map([...pages].map(([path, { ids }]) => [path.replace(/\/$/, ''), ids]));
    const broken = [...pages].flatMap(([path, { status, links }]) => [
      ...(status === 200 ? [] : [`${path}: status ${status}`]),
      ...links.flatMap((to) => {
        if (!to.href.startsWith(address)) return [];
        const ids = anchors.get(to.pathname.replace(/\/$/, ''));
        if (ids === undefined) return [`${path} links to ${to.pathname}, which is no page`];
        const isThere = to.hash === '' || ids.has(decodeURIComponent(to.hash.slice(1)));
        return isThere ? [] : [`${path} links to ${to.pathname}${to.hash}, which is no heading`];
      }),
    ]);
    expect(pages.size).toBe(paths.length);
    expect([...pages.values()].flatMap(({ links }) => links).length).toBeGreaterThan(paths.length);
    expect([...new Set([...faults, ...broken])]).toEqual([]);
  });

  it('has no accessibility violation on any page', () => {
    const found = [...pages].flatMap(([path, { violations }]) =>
      violations.map((fault) => `${path}: ${fault}`),
    );
    expect(found).toEqual([]);
  });

  it.each(['light', 'dark'] as const)(
    'has enough color contrast on one page of each kind, in the %s theme',
    (theme) => {
      expect(contrast[theme]).toEqual([]);
    },
  );

  it('finds a word on the pages by its search', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(address);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('searchbox').fill('temporary rename');
    await expect.poll(() => page.locator('.VPLocalSearchBox .result').count()).toBeGreaterThan(0);
    await context.close();
  }, 60_000);

  it.each(searches)('finds "%s" among the first three hits of its search', async (asked, pages) => {
    const hits = (await searchIndex(folder)).search(asked).slice(0, 3);
    const found = hits.map(({ id }) => id.replace(/(?:\.html)?(?:#.*)?$/, ''));
    expect(
      pages.some((page) => found.includes(page)),
      found.join(' '),
    ).toBe(true);
  });
});

interface SearchIndex {
  search(asked: string): readonly { readonly id: string }[];
}

/** The index that the site loads, in the search library of VitePress. */
async function searchIndex(folder: string): Promise<SearchIndex> {
  const chunks = join(folder, 'assets/chunks');
  const chunk = readdirSync(chunks).find((name) => name.startsWith('@localSearchIndexroot')) ?? '';
  const { default: json } = (await import(join(chunks, chunk))) as { readonly default: string };
  const load = createRequire(createRequire(import.meta.url).resolve('vitepress'));
  const library = load('minisearch') as { loadJSON(text: string, options: object): SearchIndex };
  return library.loadJSON(json, { fields: ['title', 'titles', 'text'], searchOptions });
}
