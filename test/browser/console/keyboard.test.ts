import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { axeFindings } from '../../given/axe.ts';
import { hasChromium } from '../../given/chromium.ts';
import { givenPlanDetail } from '../../given/console/plans.ts';
import { givenConsole, settled } from './open-console.ts';

const focusedText = (page: Page) => page.evaluate<string>('document.activeElement?.textContent ?? ""');
const path = (page: Page) => new URL(page.url()).pathname;

describe.runIf(hasChromium)('the console by keyboard', () => {
  const open = givenConsole();

  it('g and a letter opens a page, focuses its heading and announces its title', async () => {
    const { page, faults } = await open('/');
    await settled(page);
    for (const [key, address, heading, title] of [
      ['a', '/accounts', 'Accounts', 'Accounts'],
      ['h', '/hosts', 'Hosts', 'Hosts'],
      ['o', '/', '3 accounts are failing, 1 is in doubt and 41 have drifted', 'Overview'],
    ] as const) {
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await expect.poll(() => path(page)).toBe(address);
      await expect.poll(() => focusedText(page)).toBe(heading);
      const said = page.getByRole('status').filter({ hasText: /· Rampart/ });
      await expect.poll(() => said.textContent()).toContain(title);
    }
    expect(faults).toEqual([]);
  });

  it('j and k move between rows, and Enter opens one', async () => {
    const { page } = await open('/hosts');
    await settled(page);
    for (const key of ['j', 'j', 'j', 'k']) await page.keyboard.press(key);
    await expect.poll(() => focusedText(page)).toBe('BER-KIOSK-000001');
    await page.keyboard.press('Enter');
    await expect.poll(() => path(page)).toBe('/accounts/contoso-0001/hosts/10001');
  });

  it('x selects the focused row, and another x clears the selection', async () => {
    const { page } = await open('/accounts');
    await settled(page);
    for (const key of ['j', 'j', 'x']) await page.keyboard.press(key);
    await page.getByText('1 account selected').first().waitFor();
    const box = page.getByRole('checkbox', { name: 'Select fabrikam-0001' });
    expect(await box.isChecked()).toBe(true);
    await page.keyboard.press('x');
    await expect.poll(() => box.isChecked()).toBe(false);
  });

  it('j continues beyond the visible rows without losing the focus', async () => {
    const { page } = await open('/hosts');
    await settled(page);
    // The list draws rows a few at a time, so a busy machine must not press ahead of it.
    for (let row = 0; row < 60; row += 1) {
      await page.keyboard.press('j');
      if (row % 4 === 3)
        await expect.poll(() => focusedText(page)).toBe(`BER-KIOSK-${String(row).padStart(6, '0')}`);
    }
  });

  it('/ goes to the search, Escape leaves it, and the address holds what was typed', async () => {
    const { page } = await open('/hosts');
    await settled(page);
    await page.keyboard.press('/');
    await page.keyboard.type('000042');
    await expect.poll(() => new URL(page.url()).search).toBe('?q=000042');
    await expect.poll(() => page.locator('main [data-row]').count()).toBe(1);
    await page.keyboard.press('Escape');
    expect(await page.evaluate<string>('document.activeElement.id')).toBe('main');
    await page.keyboard.press('j');
    await expect.poll(() => focusedText(page)).toBe('BER-KIOSK-000042');
  });

  it('the palette finds an account, and Enter opens it', async () => {
    const { page, faults } = await open('/');
    await settled(page);
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Search accounts, hosts and commands' });
    await field.fill('fabrikam-0001');
    await page.getByRole('option', { name: /fabrikam-0001/ }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await expect.poll(() => path(page)).toBe('/accounts/fabrikam-0001');
    expect(faults).toEqual([]);
  });

  it('the palette closes with Escape and returns the focus', async () => {
    const { page } = await open('/accounts');
    await settled(page);
    await page.keyboard.press('j');
    const before = await focusedText(page);
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => focusedText(page)).toBe(before);
  });

  it('? lists the keys, and page shortcuts do nothing while the dialog is open', async () => {
    const { page } = await open('/');
    await settled(page);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    expect(path(page)).toBe('/');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it("the reader's menu changes theme and density, and Escape closes it", async () => {
    const { page } = await open('/accounts');
    await settled(page);
    await page.locator('.person summary').click();
    await page.getByLabel('Theme').selectOption('Dark');
    await page.getByLabel('Density').selectOption('Compact');
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.locator('.person-menu').waitFor({ state: 'hidden' });
    await expect.poll(() => focusedText(page)).toBe('ada@contoso.example');
    await page.reload();
    await settled(page);
    const shown = await page.evaluate<string>('JSON.stringify(document.documentElement.dataset)');
    expect(JSON.parse(shown)).toEqual({ theme: 'dark', density: 'compact' });
    await page.locator('.person summary').click();
    await page.getByRole('textbox', { name: 'Labels' }).click();
    await page.locator('.person-menu').waitFor({ state: 'hidden' });
  });

  it('the menu of a narrow screen closes with Escape, and when the focus leaves it', async () => {
    const { page } = await open('/accounts', { viewport: { width: 390, height: 844 } });
    await settled(page);
    const menu = page.getByRole('button', { name: 'Menu' });
    const overview = page.getByRole('link', { name: 'Overview', exact: true });
    await menu.focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await expect.poll(() => focusedText(page)).toMatch(/^Overview/);
    await page.keyboard.press('Escape');
    await overview.waitFor({ state: 'hidden' });
    expect(await focusedText(page)).toContain('Menu');
    // Otherwise it would cover what has the focus.
    await page.keyboard.press('Enter');
    await overview.waitFor();
    await page.locator('.person summary').focus();
    await page.keyboard.press('Tab');
    await overview.waitFor({ state: 'hidden' });
  });

  it('the focus stays near an act that removes its own button', async () => {
    const { page, api } = await open('/changes/pl_contoso_1');
    await settled(page);
    api.on('POST /plans/{id}/reject', () => {
      api.on('GET /plans/{id}', { body: givenPlanDetail({ state: 'rejected' }) });
      return { status: 200, body: {} };
    });
    await page.getByRole('button', { name: 'Reject…' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type(' Not these names. ');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('This plan was rejected.').first().waitFor();
    await expect
      .poll(() => page.evaluate<string | null>("document.activeElement.getAttribute('aria-label')"))
      .toBe('Decision');
  });

  it.each([
    ['/hosts', 390],
    ['/hosts', 640],
    ['/accounts', 390],
  ])('rows of %s can be selected at %i pixels, one by one and all that are loaded', async (path, width) => {
    const { page } = await open(path, { viewport: { width, height: 400 } });
    await settled(page);
    const all = page.getByRole('checkbox', { name: 'Select all loaded rows' });
    await page.getByRole('checkbox').nth(1).click();
    await page.getByText(/^1 (host|account) selected$/).waitFor();
    await all.click();
    await page.getByText(/^[\d,]{2,} (hosts|accounts) selected$/).waitFor();
    const bar = page.locator('.bulk-bar');
    expect((await bar.boundingBox())?.height).toBeLessThan(100);
    const acts = await bar.locator('a, button').all();
    await acts[0]?.focus();
    for (const _act of acts) {
      const isInView = page.evaluate<boolean>(`(() => {
        const [own, bar] = [document.activeElement, document.activeElement.closest('.bulk-bar')];
        const [inside, around] = [own.getBoundingClientRect(), bar.getBoundingClientRect()];
        return inside.left >= around.left && inside.right <= around.right;
      })()`);
      expect(await isInView).toBe(true);
      await page.keyboard.press('Tab');
    }
  });
});
