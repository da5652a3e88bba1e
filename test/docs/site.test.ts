import { execFile } from 'node:child_process';
import { createReadStream, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { searchOptions } from '../../docs/.vitepress/search.ts';
import { axeFindings } from '../given/axe.ts';
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
  const folder = mkdtempSync(join(tmpdir(), 'rampart-site-'));
  let server: Server;
  let browser: Browser;
  let address: string;

  beforeAll(async () => {
    const vitepress = join(docs, '../node_modules/vitepress/bin/vitepress.js');
    await promisify(execFile)(process.execPath, [vitepress, 'build', docs, '--outDir', folder], {
      env: { PATH: process.env['PATH'], NODE_ENV: 'production' },
    });
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
    rmSync(folder, { recursive: true, force: true });
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
  let pages: ReadonlyMap<string, Read>;

  /** Several tabs read the pages side by side; each page is loaded once for all tests of the light theme. */
  beforeAll(async () => {
    const context = await browser.newContext({ colorScheme: 'light' });
    const read = new Map<string, Read>();
    const left = [...paths];
    await Promise.all(
      Array.from({ length: 3 }, async () => {
        const page = await context.newPage();
        // The text of other pages is complete without their scripts, which are the same on all pages.
        let runs = false;
        await page.route('**/*', (route) =>
          runs || ['document', 'stylesheet'].includes(route.request().resourceType())
            ? route.continue()
            : route.abort(),
        );
        page.on('pageerror', (error) => faults.push(`exception: ${error.message}`));
        page.on('request', (request) => {
          if (!request.url().startsWith(address)) faults.push(`request: ${request.url()}`);
        });
        for (let path = left.shift(); path !== undefined; path = left.shift()) {
          runs = running.includes(path);
          const answer = await page.goto(`${address}${path}`, { waitUntil: 'load' });
          const ids = await page.locator('[id]').evaluateAll((all) => all.map(({ id }) => id));
          const links = await page
            .locator('a[href]')
            .evaluateAll((all) => all.map((each) => (each as unknown as { readonly href: string }).href));
          read.set(path, {
            status: answer?.status(),
            ids: new Set(ids),
            links: links.map((link) => new URL(link)),
            violations: kinds.includes(path)
              ? await axeFindings(page, 'structure')
              : await axeFindings(page, 'text', surroundings),
          });
        }
      }),
    );
    await context.close();
    pages = read;
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
    async (colorScheme) => {
      const context = await browser.newContext({ colorScheme });
      const page = await context.newPage();
      const found: string[] = [];
      for (const path of kinds) {
        await page.goto(`${address}${path}`, { waitUntil: 'load' });
        found.push(...(await axeFindings(page, 'contrast')).map((fault) => `${path}: ${fault}`));
      }
      await context.close();
      expect(found).toEqual([]);
    },
    60_000,
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
