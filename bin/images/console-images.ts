import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { openFakeApi } from '../../test/given/console/fake-api.ts';
import { readAt } from '../../test/given/console/plans.ts';
import { usualRoutes } from '../../test/given/console/routes.ts';
import { workRoutes } from '../../test/given/console/work-routes.ts';
import { buildConsole } from '../console/build-console.ts';

interface Image {
  readonly name: string;
  readonly path: string;
  readonly options?: BrowserContextOptions;
}

const dark = { colorScheme: 'dark' } as const;
const tall = { viewport: { width: 1280, height: 1000 } } as const;

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
  { name: 'console-plan', path: '/changes/pl_contoso_1', options: tall },
  { name: 'console-run', path: '/changes/pl_northwind_7', options: dark },
  { name: 'console-rollouts', path: '/rollouts' },
];

/** Writes the images of the console into `folder`, and returns their names. */
export async function writeConsoleImages(browser: Browser, folder: string): Promise<readonly string[]> {
  const built = mkdtempSync(join(tmpdir(), 'rampart-console-images-'));
  await buildConsole(built);
  const api = await openFakeApi(built, {});
  try {
    for (const { name, path, options } of images) {
      api.reset({ ...usualRoutes(), ...workRoutes() });
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
      await page.screenshot({ path: join(folder, `${name}.png`) });
      await page.close();
    }
  } finally {
    await api.close();
    rmSync(built, { recursive: true, force: true });
  }
  return images.map(({ name }) => `docs/images/${name}.png`);
}
