import { describe, expect, it } from 'vitest';
import { axeFindings } from '../../given/axe.ts';
import { hasChromium } from '../../given/chromium.ts';
import { givenHostDetail } from '../../given/console/hosts.ts';
import { givenPlanDetail, givenReviewHost } from '../../given/console/plans.ts';
import { expectGoodPage } from './good-page.ts';
import { givenConsole, settled } from './open-console.ts';

const pages = [
  ['the overview', '/'],
  ['all causes', '/causes'],
  ['the accounts', '/accounts'],
  [
    'the accounts that need attention',
    '/accounts?health=failing%2Cdrifted&where=region+%3D%3D+%22eu%22&cause=ca_kiosks',
  ],
  ['the drift of an account', '/accounts/contoso'],
  ['the history of an account', '/accounts/contoso?tab=history'],
  ['the coverage of an account', '/accounts/contoso?tab=coverage'],
  ['the policies of an account', '/accounts/contoso?tab=policies'],
  ['the hosts', '/hosts?drifted=true'],
  ['a proposal', '/propose?host=contoso+10000&change=rename'],
  ['a host', '/accounts/contoso/hosts/10000'],
  ['an unknown address', '/nothing/here'],
] as const;

/** The pages whose images were reviewed. */
const images: Readonly<Record<string, string>> = {
  '/': 'overview',
  '/accounts': 'accounts',
  '/accounts/contoso': 'account',
  '/hosts?drifted=true': 'hosts',
  '/accounts/contoso/hosts/10000': 'host',
};

describe.runIf(hasChromium)('pages of the console about accounts and hosts', () => {
  const open = givenConsole();

  it.each(pages)(
    '%s looks as reviewed, passes axe in both themes, and fits 320 pixels to 4K',
    async (_page, path) => {
      const { page, faults } = await open(path, { colorScheme: 'light' });
      await settled(page);
      await expectGoodPage(page, images[path]);
      expect(faults).toEqual([]);
    },
  );

  it('on a phone, a heading and the rows of a plan have whole names, and the current tab is in view', async () => {
    const viewport = { width: 320, height: 700 };
    const name = 'LIS-WEB-002 in the corner of the third floor';
    const routes = {
      'GET /accounts/{name}/hosts/{id}': { body: givenHostDetail({ name }) },
      'GET /plans/{id}': {
        body: givenPlanDetail({ irreversible_hosts: [givenReviewHost(0, { name, action: ['delete'] })] }),
      },
    };
    const { page } = await open('/accounts/contoso/hosts/10000', { viewport, routes });
    await settled(page);
    const cut = (within: string) =>
      page.evaluate<readonly string[]>(
        `[...document.querySelectorAll('${within} :is(.name, .name-head)')].filter((each) => getComputedStyle(each).maxWidth !== 'none').map((each) => each.textContent)`,
      );
    expect(await page.locator('h1 .name-head').count()).toBe(1);
    expect(await cut('h1')).toEqual([]);
    await page.goto(new URL('/changes/pl_contoso_1', page.url()).href);
    await page.locator('#irreversible tbody .name-head').first().waitFor();
    expect(await cut('#irreversible tbody')).toEqual([]);
    await page.goto(new URL('/accounts/contoso?tab=policies', page.url()).href);
    await settled(page);
    const beyond = page.evaluate<number>(`(() => {
      const tab = document.querySelector('.tabs [aria-current]');
      return tab.getBoundingClientRect().right - tab.closest('.tabs').getBoundingClientRect().right;
    })()`);
    expect(await beyond).toBeLessThan(1);
  });

  it('axe finds nothing on a narrow screen with the menu open', async () => {
    const { page } = await open('/', { viewport: { width: 320, height: 700 } });
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Accounts', exact: true }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });
});
