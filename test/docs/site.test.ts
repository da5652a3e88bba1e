import { createReadStream, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { build } from 'vitepress';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../browser/chromium.ts';

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

const dark: ReadonlySet<string> = new Set([
  '/',
  '/start/tutorial',
  '/reference/commands',
  '/reference/desired-state',
  '/terraform/resources/host',
]);

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
    await build(docs, { outDir: folder, logLevel: 'error' } as Parameters<typeof build>[1]);
    server = serveFolder(folder);
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await chromium.launch({
      executablePath: '/usr/bin/chromium',
      headless: true,
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync'],
    });
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const paths = readdirSync(docs, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith('reference/api') && !name.startsWith('.'))
    .map((name) => `/${name.replace(/(index)?\.md$/, '')}`);

  it('has every page, and each link of a page leads to a page and a heading of it', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const anchors = new Map<string, ReadonlySet<string>>();
    const links: { readonly from: string; readonly to: URL }[] = [];
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(`exception: ${error.message}`));
    page.on('request', (request) => {
      if (!request.url().startsWith(address)) faults.push(`request: ${request.url()}`);
    });
    for (const path of paths) {
      const answer = await page.goto(`${address}${path}`, { waitUntil: 'domcontentloaded' });
      if (answer?.status() !== 200) faults.push(`${path}: status ${answer?.status()}`);
      const ids = await page.locator('[id]').evaluateAll((all) => all.map(({ id }) => id));
      anchors.set(path.replace(/\/$/, ''), new Set(ids));
      const found = await page
        .locator('a[href]')
        .evaluateAll((all) => all.map((each) => (each as unknown as { readonly href: string }).href));
      for (const to of found) links.push({ from: path, to: new URL(to) });
    }
    for (const { from, to } of links.filter((link) => link.to.href.startsWith(address))) {
      const ids = anchors.get(to.pathname.replace(/\/$/, ''));
      if (ids === undefined) faults.push(`${from} links to ${to.pathname}, which is no page`);
      else if (to.hash !== '' && !ids.has(decodeURIComponent(to.hash.slice(1))))
        faults.push(`${from} links to ${to.pathname}${to.hash}, which is no heading`);
    }
    await context.close();
    expect(links.length).toBeGreaterThan(paths.length);
    expect([...new Set(faults)]).toEqual([]);
  }, 240_000);

  it.each(['light', 'dark'] as const)(
    'has nothing that axe finds, in the %s theme',
    async (colorScheme) => {
      const context = await browser.newContext({ colorScheme });
      const page = await context.newPage();
      const faults: string[] = [];
      // Every page in the light theme; in the dark one, whose colours alone differ, one page of each kind.
      const looked = colorScheme === 'light' ? paths : paths.filter((path) => dark.has(path));
      expect(looked.length).toBeGreaterThanOrEqual(dark.size);
      for (const path of looked) {
        await page.goto(`${address}${path}`, { waitUntil: 'load' });
        faults.push(...(await violationsOn(page)).map((fault) => `${path}: ${fault}`));
      }
      await context.close();
      expect(faults).toEqual([]);
    },
    240_000,
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
});

async function violationsOn(page: Page): Promise<readonly string[]> {
  await page.addScriptTag({ content: axe.source });
  const found = await page.evaluate('axe.run(document, { resultTypes: ["violations"] })');
  const { violations } = found as {
    readonly violations: readonly {
      readonly id: string;
      readonly nodes: readonly { readonly html: string }[];
    }[];
  };
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}
