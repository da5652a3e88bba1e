import type { CDPSession } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { RunEventRow } from '../../../src/api/runs.ts';
import { mostKept } from '../../../src/console/pages/change/event-log.ts';
import { hasChromium } from '../../given/chromium.ts';
import { mainThreadOf, traceCategories } from '../../given/console/main-thread.ts';
import { manyHostsRoute } from '../../given/console/routes.ts';
import { givenRunDetail, givenRunEvents } from '../../given/console/runs.ts';
import { eventsRoute } from '../../given/console/work-routes.ts';
import { givenConsole, settled } from './open-console.ts';

/** How much memory the page may gain while it follows as many events again, in bytes. */
const slack = 3_000_000;

/** Events of an hour: each of 1,204 accounts has a check every 10 minutes that changes something. */
const hourly = 7_500;
/** Events that arrive at once. */
const burst = 1_500;

async function usedHeap(session: CDPSession): Promise<number> {
  for (let round = 0; round < 3; round += 1) await session.send('HeapProfiler.collectGarbage');
  return (await session.send('Runtime.getHeapUsage')).usedSize;
}

describe.runIf(hasChromium)('the memory and the speed of the console', { timeout: 180_000 }, () => {
  const open = givenConsole();

  it('stays flat while a run sends thousands of events', async () => {
    const { page, context, api } = await open('/changes/pl_northwind_7');
    const session = await context.newCDPSession(page);
    const log = page.getByRole('log', { name: 'Events' });
    let events: readonly RunEventRow[] = givenRunEvents(1_200);
    const follow = async (to: number) => {
      while (events.length < to) {
        events = [...events, ...givenRunEvents(600, events.length + 1)];
        api.on('GET /runs/{id}/events', eventsRoute(events));
        api.on('GET /runs/{id}', {
          body: givenRunDetail({ steps: { ...givenRunDetail().steps, total: to, done: events.length } }),
        });
        for (let each = 0; each < 600; each += 1)
          api.emit({ type: 'run.event', account: 'northwind', resource: 'run_northwind_7', data: { each } });
        await log.getByText(`NW-WEB-${events.length}`).first().waitFor();
      }
      return usedHeap(session);
    };
    await log.getByText('NW-WEB-1200').first().waitFor();
    const full = await follow(mostKept + 1_200);
    const later = await follow(2 * mostKept + 1_200);
    expect(later - full).toBeLessThan(slack);
    expect(await page.getByRole('heading', { name: 'Events' }).innerText()).toContain('5,000');
    expect(await page.locator('.event').count()).toBeLessThan(100);
  });

  it('stays flat while the overview is open and as many accounts change as in an hour', async () => {
    const { page, context, api } = await open('/');
    const session = await context.newCDPSession(page);
    await page.locator('h1').waitFor();
    const change = async (count: number) => {
      const reads = () => api.requests.filter(({ path }) => path === '/overview').length;
      for (let sofar = 0; sofar < count; sofar += burst) {
        const before = reads();
        for (let each = 0; each < burst; each += 1)
          api.emit({
            type: 'account.changed',
            account: `account-${sofar + each}`,
            data: { health: 'drifted' },
          });
        await expect.poll(reads).toBeGreaterThan(before);
      }
      return usedHeap(session);
    };
    const early = await change(2 * burst);
    const later = await change(hourly);
    expect(later - early).toBeLessThan(slack);
  });

  it('shows, scrolls and searches a million hosts with no task that could hold back a frame for 100 ms', async () => {
    const { page, context, api } = await open('about:blank', {
      routes: { 'GET /hosts': manyHostsRoute(1_000_000) },
    });
    const browser = context.browser();
    const traced = async (act: () => Promise<void>) => {
      await browser?.startTracing(page, { categories: traceCategories });
      await act();
      return mainThreadOf((await browser?.stopTracing()) ?? Buffer.from('{}'));
    };
    const opened = await traced(async () => {
      await page.goto(`${api.address}/hosts`);
      await page.locator('[role=rowheader]').first().waitFor();
    });
    // CPU time, because other work on the machine does not count. The goal on an idle machine is one second.
    expect(opened.total).toBeGreaterThan(10);
    expect(opened.total).toBeLessThan(1_000);
    const used = await traced(async () => {
      for (let step = 0; step < 40; step += 1) await page.mouse.wheel(0, 400);
      await page.locator('main input[type="search"]').first().pressSequentially('kiosk-0001');
      await expect.poll(() => page.locator('.below').innerText()).toBe('10,000 hosts');
    });
    expect(used.longest).toBeGreaterThan(0);
    expect(used.longest).toBeLessThan(100);
    expect(await page.locator('main [data-row]').count()).toBeLessThan(100);
  });

  it('releases the pages that it leaves', async () => {
    const { page, context } = await open('/');
    const session = await context.newCDPSession(page);
    const around = async () => {
      for (const name of ['Approvals', 'Rollouts', 'Audit', 'Settings', 'Hosts', 'Overview']) {
        await page
          .getByRole('navigation', { name: 'Main' })
          .getByRole('link', { name: new RegExp(`^${name}`) })
          .click();
        await settled(page);
      }
    };
    for (let round = 0; round < 2; round += 1) await around();
    const early = await usedHeap(session);
    for (let round = 0; round < 4; round += 1) await around();
    expect((await usedHeap(session)) - early).toBeLessThan(slack);
  });
});
