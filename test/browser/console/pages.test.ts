import { describe, expect, it } from 'vitest';
import { axeFindings } from '../../given/axe.ts';
import { hasChromium } from '../../given/chromium.ts';
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

  it('axe finds nothing on a narrow screen with the menu open', async () => {
    const { page } = await open('/', { viewport: { width: 320, height: 700 } });
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Accounts', exact: true }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });
});
