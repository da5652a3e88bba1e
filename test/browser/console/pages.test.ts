import { describe, expect, it } from 'vitest';
import { axeFindings } from '../../given/axe.ts';
import { hasChromium } from '../../given/chromium.ts';
import { givenHostDetail } from '../../given/console/hosts.ts';
import { givenPlanDetail, givenReviewHost } from '../../given/console/plans.ts';
import { expectGoodPage } from './good-page.ts';
import { givenConsole, settled } from './open-console.ts';

/** The pages, and what they show when they are ready. */
const pages = [
  ['the overview', '/', 'h1'],
  ['all causes', '/causes', 'h1'],
  ['the accounts', '/accounts', 'h1'],
  [
    'the accounts that need attention',
    '/accounts?health=failing%2Cdrifted&where=region+%3D%3D+%22eu%22&cause=ca_kiosks',
    'h1',
  ],
  ['the drift of an account', '/accounts/contoso', 'h1'],
  ['the history of an account', '/accounts/contoso?tab=history', 'h1'],
  ['the coverage of an account', '/accounts/contoso?tab=coverage', 'h1'],
  ['the policies of an account', '/accounts/contoso?tab=policies', 'h1'],
  ['the hosts', '/hosts?drifted=true', 'h1'],
  ['a proposal', '/propose?host=contoso+10000&change=rename', 'h1'],
  ['a host', '/accounts/contoso/hosts/10000', 'h1'],
  ['an unknown address', '/nothing/here', 'h1'],
  ['a plan', '/changes/pl_contoso_1', '.cards .card'],
  ['the decisions about a change', '/changes/pl_contoso_1?step=decisions', '.time-line'],
  ['the proof of a change', '/changes/pl_contoso_4?step=proof', '.section'],
  ['a stale plan', '/changes/pl_stale', '.cards .card'],
  ['a run under way', '/changes/pl_northwind_7', '.event'],
  ['a run that ended in doubt', '/changes/pl_contoso_4', '.event'],
  ['the approvals', '/approvals', 'table'],
  ['the rollouts', '/rollouts', '.wave'],
  ['a rollout', '/rollouts/ro_spring', '.wave'],
  ['the audit log', '/audit', '[role=rowheader]'],
  ['the sources', '/settings', 'table'],
  ['the notifications', '/settings?tab=notifications', '.target'],
  ['the tokens', '/settings?tab=tokens', 'table'],
  ['the roles', '/settings?tab=roles', 'table'],
  ['the first visit', '/welcome', '.steps'],
] as const;

/** The pages whose images were reviewed. */
const images: Readonly<Record<string, string>> = {
  '/': 'overview',
  '/accounts': 'accounts',
  '/accounts/contoso': 'account',
  '/hosts?drifted=true': 'hosts',
  '/accounts/contoso/hosts/10000': 'host',
  '/changes/pl_contoso_1': 'plan',
  '/changes/pl_contoso_4': 'run',
  '/approvals': 'approvals',
  '/rollouts': 'rollouts',
  '/audit': 'audit',
};

describe.runIf(hasChromium)('the pages of the console', () => {
  const open = givenConsole();

  it.each(pages)('%s looks as reviewed, passes axe and fits 320 pixels to 4K', async (_page, path, ready) => {
    const { page, faults } = await open(path, { colorScheme: 'light' });
    await settled(page);
    await page.locator(ready).first().waitFor();
    await expectGoodPage(page, images[path]);
    // Rows of tables are cards now, on all pages in the same way.
    if (path === '/approvals') expect(await axeFindings(page, 'structure')).toEqual([]);
    expect(faults).toEqual([]);
  });

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
