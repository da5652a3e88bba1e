import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { type FakeRoute, openFakeApi } from '../../test/given/console/fake-api.ts';
import { givenPlanRow, readAt } from '../../test/given/console/plans.ts';
import { pageOf, usualRoutes } from '../../test/given/console/routes.ts';
import { workRoutes } from '../../test/given/console/work-routes.ts';
import { buildConsole } from '../console/build-console.ts';

interface Image {
  readonly name: string;
  readonly path: string;
  readonly options?: BrowserContextOptions;
  readonly act?: (page: Page) => Promise<void>;
  /** Routes that differ from those of the other images. */
  readonly routes?: Readonly<Record<string, FakeRoute>>;
}

const dark = { colorScheme: 'dark' } as const;
const tall = { viewport: { width: 1280, height: 1000 } } as const;
const phone = { viewport: { width: 390, height: 844 } } as const;

/** The images of docs/guides/console.md: pages of a server with the accounts of the tests. */
const images: readonly Image[] = [
  { name: 'console-overview', path: '/' },
  {
    name: 'console-accounts',
    path: '/accounts?health=failing%2Cin_doubt%2Cdrifted%2Cwaiting',
    options: dark,
  },
  { name: 'console-account', path: '/accounts/contoso' },
  { name: 'console-hosts', path: '/hosts?q=kiosk' },
  { name: 'console-host', path: '/accounts/contoso/hosts/10000', options: dark },
  { name: 'console-phone', path: '/', options: phone },
  { name: 'console-plan', path: '/changes/pl_contoso_1', options: tall },
  { name: 'console-plan-stale', path: '/changes/pl_stale', options: dark },
  {
    name: 'console-renames',
    path: '/changes/pl_contoso_1',
    act: async (page) => {
      await page.getByRole('heading', { name: /^Order of renames/ }).scrollIntoViewIfNeeded();
      await page.locator('.cards').scrollIntoViewIfNeeded();
    },
  },
  { name: 'console-run', path: '/changes/pl_northwind_7', options: dark },
  { name: 'console-run-ended', path: '/changes/pl_contoso_4' },
  { name: 'console-approvals', path: '/approvals' },
  {
    name: 'console-new-rollout',
    path: '/accounts',
    routes: {
      'GET /plans': (request) =>
        pageOf(request, [
          givenPlanRow({ id: 'pl_0', account: 'contoso-0000' }),
          givenPlanRow({
            id: 'pl_1',
            account: 'fabrikam-0001',
            counts: { rename: 40, move: 0, delete: 0, install: 0, refresh: 0 },
            changes: 40,
            irreversible: 0,
            required: { approvals: 1, not_author: true, numbers: [] },
          }),
        ]),
    },
    act: async (page) => {
      await page.getByRole('checkbox', { name: 'Choose contoso-0000' }).check();
      await page.getByRole('checkbox', { name: 'Choose fabrikam-0001' }).check();
      await page.getByRole('button', { name: 'Roll out…' }).click();
      await page.getByRole('button', { name: 'Approve and start with 2 accounts' }).waitFor();
    },
  },
  { name: 'console-rollouts', path: '/rollouts' },
  {
    name: 'console-audit',
    path: '/audit',
    options: dark,
    act: async (page) => {
      await page.getByRole('button', { name: 'Verify the audit log' }).click();
      await page.getByText('The audit log is intact:').first().waitFor();
    },
  },
  { name: 'console-notifications', path: '/settings?tab=notifications' },
  { name: 'console-welcome', path: '/welcome', options: tall },
  { name: 'console-plan-phone', path: '/changes/pl_contoso_1', options: phone },
  {
    name: 'console-palette',
    path: '/',
    options: dark,
    act: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill('fabrikam-00');
      await page.getByRole('option', { name: /fabrikam-0001/ }).waitFor();
    },
  },
];

/** Writes the images of the console into `folder`, and returns their names. */
export async function writeConsoleImages(browser: Browser, folder: string): Promise<readonly string[]> {
  const built = mkdtempSync(join(tmpdir(), 'rampart-console-images-'));
  await buildConsole(built);
  const api = await openFakeApi(built, {});
  try {
    for (const { name, path, options, act, routes = {} } of images) {
      api.reset({ ...usualRoutes(), ...workRoutes(), ...routes });
      const page = await browser.newPage({
        viewport: { width: 1280, height: 800 },
        locale: 'en-GB',
        timezoneId: 'Europe/Berlin',
        reducedMotion: 'reduce',
        ...options,
      });
      await page.clock.setFixedTime(readAt);
      await page.goto(api.address + path);
      await page.locator('h1').waitFor();
      await page.locator('.skeleton, .skeleton-line').first().waitFor({ state: 'detached' });
      await act?.(page);
      await page.screenshot({ path: join(folder, `${name}.png`) });
      await page.close();
    }
  } finally {
    await api.close();
    rmSync(built, { recursive: true, force: true });
  }
  return images.map(({ name }) => `docs/images/${name}.png`);
}
