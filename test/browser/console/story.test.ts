import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { hasChromium, launchChromium } from '../../given/chromium.ts';
import { builtConsole } from '../../given/console/built-console.ts';
import { type RealServer, startRealServer } from '../../given/console/real-server.ts';

const hosts = [1, 2, 3].map((id) => ({ id: String(id), name: `KIOSK-${id}` }));
const desired = `version: 1\nhosts:\n${hosts.map(({ id, name }) => `  - { id: ${id}, name: ${name} }`).join('\n')}\n`;
const ada = { sub: 'ada', name: 'Ada Lovelace', email: 'ada@example.com', groups: ['admins'] };
const grace = { sub: 'grace', name: 'Grace Hopper', email: 'grace@example.com', groups: ['approvers'] };

describe.runIf(hasChromium)('two people at a real server', { timeout: 240_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    await builtConsole();
    browser = await launchChromium();
  }, 60_000);
  afterAll(() => browser?.close());

  const faults: string[] = [];
  const visit = async (server: RealServer, person: typeof ada): Promise<Page> => {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      reducedMotion: 'reduce',
    });
    context.setDefaultTimeout(60_000);
    onTestFinished(() => context.close());
    const page = await context.newPage();
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (/policy|Refused|Trusted/.test(message.text())) faults.push(message.text());
    });
    server.signIn(person);
    await page.goto(server.address);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByText(person.email).waitFor();
    return page;
  };

  it('see drift, approve its plan together, watch the run, and undo it', async () => {
    const server = await startRealServer({
      accounts: { berlin: { groups: [], hosts, mode: 'propose' } },
      desired: `${desired}tables: [{ name: asset, file: assets.csv, key: Name, join: host.name }]\n`,
      assets: 'Name,Site\nKIOSK-1,Berlin\nKIOSK-2,<b>Wien</b>\nKIOSK-9,Berlin\n',
      server: '  approvals: { required: 2 }\n',
    });
    const emulator = server.given.emulators.get('berlin');
    const names = () => emulator?.state().hosts.map(({ name }) => name);
    const [atAda, atGrace] = [await visit(server, ada), await visit(server, grace)];

    // Nothing differs, and the inbox of the second person is empty.
    await atAda.goto(`${server.address}/accounts/berlin`);
    await atAda.getByText('converged').first().waitFor();
    await atGrace.getByRole('link', { name: /^Approvals/ }).click();
    await atGrace.getByText('No plan waits for approval').waitFor();

    // The register has no row for one host, and a row for a machine that is not a host.
    await atAda.goto(`${server.address}/accounts/berlin?tab=coverage`);
    const table = atAda.locator('.coverage section', { hasText: 'Table asset' });
    await table.getByText('Site: <b>Wien</b>').waitFor();
    for (const gap of await table.locator('summary').all()) await gap.click();
    expect(await table.locator('details').allInnerTexts()).toEqual([
      expect.stringMatching(/^1 asset without a host\b.*KIOSK-9.*assets\.csv:4/s),
      expect.stringMatching(/^1 host without an asset\b.*KIOSK-3/s),
    ]);
    await atAda.getByRole('link', { name: 'KIOSK-3' }).waitFor();
    await atAda.goto(`${server.address}/accounts/berlin`);

    // Drift appears.
    expect(emulator?.edit({ kind: 'rename', id: '2', name: 'KIOSK-OFFICE' })).toBe(true);
    await atAda.getByRole('button', { name: 'Check now' }).click();
    await atGrace.getByRole('link', { name: 'berlin' }).waitFor();
    const writes = server.given.writesOf('berlin');
    expect(writes).toBe(0);

    // Both approve. Each sees the approval of the other without a reload.
    await atGrace.getByRole('link', { name: 'berlin' }).click();
    await atGrace.waitForURL('**/changes/*');
    const plan = new URL(atGrace.url()).pathname;
    await atAda.goto(server.address + plan);
    await atAda.getByText('Approvals 0 of 2').waitFor();

    // Each writes a comment, which the other sees as text without a reload.
    const say = async (page: Page, text: string) => {
      await page.getByLabel('Add a comment').fill(text);
      await page.getByRole('button', { name: 'Comment', exact: true }).click();
    };
    for (const page of [atAda, atGrace]) await page.getByRole('link', { name: 'Decisions' }).click();
    await say(atAda, '<img src=x onerror=alert(1)>\nWho renamed it?');
    const comments = atGrace.locator('.time-line');
    await comments.getByText('<img src=x onerror=alert(1)>').waitFor();
    await say(atGrace, 'The office did.\u202e');
    await atAda.getByText('The office did.').waitFor();
    expect(await atAda.locator('.time-line img').count()).toBe(0);
    expect(await comments.locator('li').allInnerTexts()).toEqual([
      expect.stringMatching(/^<img src=x onerror=alert\(1\)>\nWho renamed it\?.*by Ada Lovelace$/s),
      expect.stringMatching(/^The office did\.‹U\+202E›.*by Grace Hopper$/s),
    ]);
    await expect.poll(() => atAda.getByLabel('Add a comment').inputValue()).toBe('');

    await atGrace.getByLabel('Comment (optional)').fill('The office has its own host.');
    await atGrace.getByRole('button', { name: 'Approve', exact: true }).click();
    await atAda.getByText('Approvals 1 of 2').waitFor();
    expect(await atAda.locator('.approvals').innerText()).toContain('The office has its own host.');
    await expect.poll(() => atGrace.locator('.decision .reason').innerText()).toMatch(/\S/);
    expect(names()).toContain('KIOSK-OFFICE');
    await atAda.getByRole('button', { name: 'Approve', exact: true }).click();

    // The run starts by itself.
    await atAda.getByText('All steps are done').waitFor();
    await atAda.getByRole('link', { name: 'Run' }).click();
    expect(names()).toEqual(['KIOSK-1', 'KIOSK-2', 'KIOSK-3']);
    expect(server.given.writesOf('berlin')).toBe(1);
    await atAda.getByRole('log', { name: 'Events' }).waitFor();

    // The approver may not undo; the administrator makes the plan, and both approve it.
    await atGrace.goto(atAda.url());
    const undoAtGrace = atGrace.getByRole('button', { name: 'Undo as a plan…' });
    await undoAtGrace.waitFor();
    expect(await undoAtGrace.getAttribute('aria-disabled')).toBe('true');
    await atAda.getByRole('button', { name: 'Undo as a plan…' }).click();
    await atAda.getByLabel('Reason').fill('The office wants its name back');
    await atAda.getByRole('button', { name: 'Make the plan' }).click();
    await atAda.waitForURL(({ pathname }) => pathname !== plan);
    const undo = new URL(atAda.url()).pathname;
    expect(undo).not.toBe(plan);
    await atAda.getByText(/\d added, \d removed and \d the same, compared with/).waitFor();
    expect(await atAda.getByRole('link', { name: 'the plan before' }).getAttribute('href')).toBe(plan);
    await atGrace.goto(server.address + undo);
    for (const page of [atGrace, atAda]) {
      await page.getByRole('button', { name: 'Approve', exact: true }).click();
      await expect.poll(() => page.locator('.decision').innerText()).toContain('approved');
    }
    await expect.poll(names, { timeout: 60_000 }).toEqual(['KIOSK-1', 'KIOSK-OFFICE', 'KIOSK-3']);

    // The audit log has all of it, and is intact.
    await atAda.goto(`${server.address}/audit?account=berlin`);
    await atAda.getByText('run ended').filter({ visible: true }).first().waitFor();
    await atAda.getByRole('button', { name: 'Verify the audit log' }).click();
    await atAda.locator('.banner-text', { hasText: 'No fault is visible' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('lose the connection and the session without losing what they typed', async () => {
    const server = await startRealServer({
      accounts: { berlin: { groups: [], hosts, mode: 'propose' } },
      desired: desired.replace('KIOSK-3', 'KIOSK-NEW'),
      server: '  approvals: { required: 1 }\n',
    });
    const page = await visit(server, ada);
    await page.getByRole('link', { name: /^Approvals/ }).click();
    await page.getByRole('link', { name: 'berlin' }).click();
    await page.getByLabel('Comment (optional)').fill('Half a sentence');

    server.cut();
    await page.getByText('The connection to the server is lost').waitFor();
    await page.getByText('No connection to the server.').last().waitFor();
    const approve = page.getByRole('button', { name: 'Approve', exact: true });
    expect(await approve.getAttribute('aria-disabled')).toBe('true');
    server.restore();
    await expect
      .poll(() => page.getByText('The connection to the server is lost').count(), { timeout: 60_000 })
      .toBe(0);
    expect(await page.getByLabel('Comment (optional)').inputValue()).toBe('Half a sentence');

    await page.context().clearCookies();
    await approve.click();
    await page.getByText('Your session has expired.').waitFor();
    expect(server.given.writesOf('berlin')).toBe(0);
    const again = page.waitForEvent('popup');
    await page.getByRole('link', { name: 'Sign in in a new tab' }).click();
    await (await again).getByText(ada.email).waitFor();
    await page.bringToFront();
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    await expect.poll(() => page.getByText('Your session has expired.').count(), { timeout: 60_000 }).toBe(0);
    expect(await page.getByLabel('Comment (optional)').inputValue()).toBe('Half a sentence');
    await approve.click();
    await page.getByRole('heading', { name: 'Events' }).waitFor();
    await expect.poll(() => server.given.writesOf('berlin'), { timeout: 60_000 }).toBe(1);
  });
});
