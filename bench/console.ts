/**
 * The list of hosts in the console: opening it, scrolling it and typing into its search in Chromium, with a million hosts
 * behind it and with a thousand. The server of the tests answers, so that only the browser is measured. The times between
 * frames depend on what else the machine does; the CPU time of the longest task of the page does not.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { buildConsole } from '../bin/console/build-console.ts';
import { launchChromium } from '../test/given/chromium.ts';
import { openFakeApi } from '../test/given/console/fake-api.ts';
import { mainThreadOf, traceCategories } from '../test/given/console/main-thread.ts';
import { manyHostsRoute, usualRoutes } from '../test/given/console/routes.ts';
import { isQuick } from './measure/quick.ts';
import { openReport } from './report/report.ts';

const steps = isQuick ? 100 : 600;
const goalMs = 100;
const folder = mkdtempSync(join(tmpdir(), 'rampart-bench-console-'));
await buildConsole(folder);
const browser = await launchChromium();

interface Frames {
  readonly longest: number;
  readonly over: number;
  readonly count: number;
  /** The CPU time of the longest task of the page's main thread, in milliseconds. */
  readonly task: number;
}

interface Measured {
  readonly openMs: number;
  readonly scroll: Frames;
  readonly search: Frames;
  readonly rows: number;
}

const report = openReport(
  'The console with many hosts',
  'a list of a million hosts, compared with one of a thousand, opened, scrolled and searched in Chromium',
);
const row = report.table([
  'hosts',
  'open',
  'frames',
  'longest',
  'over 100 ms',
  'longest task',
  'goal',
  'rows on the page',
]);
for (const hosts of [1_000, 1_000_000]) {
  const { openMs, scroll, search, rows } = await measure(browser, hosts);
  const name = hosts.toLocaleString('en');
  row([
    `${name}, scrolled ${steps} steps`,
    ms(openMs),
    `${scroll.count}`,
    ms(scroll.longest),
    `${scroll.over}`,
    ms(scroll.task),
    `0, ${goalMs} ms`,
    `${rows}`,
  ]);
  row([
    `${name}, searched letter by letter`,
    '',
    `${search.count}`,
    ms(search.longest),
    `${search.over}`,
    ms(search.task),
    `0, ${goalMs} ms`,
    '',
  ]);
}
await browser.close();
rmSync(folder, { recursive: true });

async function measure(given: Browser, hosts: number): Promise<Measured> {
  const api = await openFakeApi(folder, {
    ...usualRoutes(),
    'GET /hosts': manyHostsRoute(hosts),
  });
  const page = await given.newPage({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
  const start = performance.now();
  await page.goto(`${api.address}/hosts`);
  await page.locator('[role=rowheader]').first().waitFor();
  const openMs = performance.now() - start;
  const scroll = await framesOf(page, async () => {
    for (let step = 0; step < steps; step += 1) await page.mouse.wheel(0, 400);
  });
  const rows = await page.locator('main [data-row]').count();
  await page.evaluate('scrollTo(0, 0)');
  const field = page.locator('main input[type="search"]').first();
  const search = await framesOf(page, async () => {
    await field.pressSequentially('berlin-kiosk', { delay: 60 });
    await page.waitForTimeout(500);
  });
  await page.close();
  await api.close();
  return { openMs, scroll, search, rows };
}

/** The times between the frames that the browser draws while something happens. */
async function framesOf(page: Page, act: () => Promise<void>): Promise<Frames> {
  await page.evaluate(`(() => {
    const frames = { longest: 0, over: 0, count: 0 };
    let last = performance.now();
    const next = (now) => {
      const apart = now - last;
      last = now;
      frames.count += 1;
      frames.longest = Math.max(frames.longest, apart);
      if (apart > ${goalMs}) frames.over += 1;
      if (globalThis.frames_measured === frames) requestAnimationFrame(next);
    };
    globalThis.frames_measured = frames;
    requestAnimationFrame(next);
  })()`);
  await browser.startTracing(page, { categories: traceCategories });
  await act();
  const trace = await browser.stopTracing();
  const frames = await page.evaluate<Omit<Frames, 'task'>>(
    '(() => { const found = globalThis.frames_measured; globalThis.frames_measured = null; return found; })()',
  );
  return { ...frames, task: mainThreadOf(trace).longest };
}

function ms(number: number): string {
  return `${number.toFixed(0)} ms`;
}
