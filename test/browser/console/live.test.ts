import { describe, expect, it } from 'vitest';
import { givenAccounts } from '../../given/console/accounts.ts';
import { givenOverview } from '../../given/console/overview.ts';
import { accountsRoute } from '../../given/console/routes.ts';
import { hasChromium } from '../chromium.ts';
import { givenConsole, settled } from './open-console.ts';

describe.runIf(hasChromium)('the console while things change', () => {
  const open = givenConsole();

  it('a row changes in its place, and the new order waits for the reader', async () => {
    const accounts = givenAccounts(8);
    const { page, api, faults } = await open('/accounts', {
      routes: { 'GET /accounts': accountsRoute(accounts) },
    });
    await settled(page);
    await expect.poll(() => api.readers()).toBe(1);
    const names = () => page.locator('main [data-row] [role=rowheader]').allInnerTexts();
    const before = await names();
    const [first, ...others] = accounts;
    const healed = { ...first!, health: 'converged' as const, failure: null };
    api.on('GET /accounts', accountsRoute([...others, healed]));
    api.emit({ type: 'account.changed', account: healed.name });
    const notice = page.getByRole('button', { name: '1 moved: show the newest order' });
    await notice.waitFor();
    expect(await names()).toEqual(before);
    expect(await page.locator('main [data-row]').first().innerText()).toContain('converged');
    await notice.click();
    await expect.poll(async () => (await names()).at(-1)).toBe(healed.name);
    expect(faults).toEqual([]);
  });

  it('the overview changes its numbers, and keeps its causes in place until the reader updates them', async () => {
    const { page, api } = await open('/');
    await settled(page);
    await expect.poll(() => api.readers()).toBe(1);
    const overview = givenOverview();
    const [resolved, ...left] = overview.causes;
    api.on('GET /overview', {
      body: { ...overview, health: { ...overview.health, failing: 0 }, causes: left },
    });
    api.emit({ type: 'account.changed', account: 'contoso-0000' });
    await page
      .getByRole('heading', { name: '1 account is in doubt, 41 have drifted and 3 wait for approval' })
      .waitFor();
    const causes = page.getByRole('table', { name: 'Causes' });
    expect(await causes.locator('tbody tr').first().innerText()).toContain('resolved');
    await page.getByRole('button', { name: '1 no longer listed: update the list' }).click();
    expect(await causes.innerText()).not.toContain(resolved!.title);
  });

  it('several accounts are paused at once, with a reason and an end', async () => {
    const { page, api, faults } = await open('/accounts');
    await settled(page);
    await page.getByRole('checkbox', { name: 'Choose contoso-0000' }).check();
    await page.getByRole('checkbox', { name: 'Choose fabrikam-0001' }).check();
    await page.getByRole('button', { name: 'Pause' }).click();
    const dialog = page.getByRole('dialog');
    const confirm = dialog.getByRole('button', { name: 'Pause 2 accounts' });
    expect(await confirm.getAttribute('aria-disabled')).toBe('true');
    await dialog.getByText('Give a reason first.').waitFor();
    await dialog.getByLabel('Reason').fill('The site moves.');
    await dialog.getByLabel('How long').selectOption('1 hour');
    await confirm.click();
    await page.getByText('2 accounts paused.').first().waitFor();
    const sent = api.requests.filter(({ method }) => method === 'POST');
    expect(sent.map(({ body }) => body)).toEqual(
      ['contoso-0000', 'fabrikam-0001'].map((account) => ({
        account,
        reason: 'The site moves.',
        until: '2026-11-23T09:00:00.000Z',
      })),
    );
    expect(sent.every(({ headers }) => headers['x-rampart-csrf'] === 'a-csrf-value')).toBe(true);
    expect(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size).toBe(2);
    expect(faults).toEqual([]);
  });

  it.each([
    ['Check now', 'Check 1 account', '/accounts/check', '1 check queued for 1 account.'],
    ['Plan', 'Plan 1 account', '/accounts/plan', '1 plan queued for 1 account.'],
  ])('the button "%s" asks first, then queues the work', async (button, verb, path, said) => {
    const { page, api } = await open('/accounts');
    await settled(page);
    await page.getByRole('checkbox', { name: 'Choose contoso-0000' }).check();
    await page.getByRole('button', { name: button, exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: verb }).click();
    await page.getByText(said).first().waitFor();
    const [sent] = api.requests.filter(({ method }) => method === 'POST');
    expect([sent?.path, sent?.body]).toEqual([path, { names: ['contoso-0000'] }]);
  });

  it('labels, healths and a step back change the list and the address together', async () => {
    const { page, api } = await open('/accounts');
    await settled(page);
    await page.getByRole('link', { name: 'Failing', exact: true }).click();
    await expect.poll(() => page.locator('main [data-row]').count()).toBeLessThan(30);
    await page.locator('a.label').first().click();
    expect(new URL(page.url()).searchParams.get('where')).toBe('region == "eu"');
    await expect.poll(() => api.requests.at(-1)?.query.get('where')).toBe('region == "eu"');
    await page.goBack();
    await page.goBack();
    await expect.poll(() => new URL(page.url()).search).toBe('');
    expect(await page.getByRole('textbox', { name: 'Labels' }).inputValue()).toBe('');
  });
});
