import { describe, expect, it } from 'vitest';
import { axeFindings } from '../../given/axe.ts';
import { hasChromium } from '../../given/chromium.ts';
import { causes, givenAccount, givenAccountDetail } from '../../given/console/accounts.ts';
import { problemOf } from '../../given/console/fake-api.ts';
import { facets } from '../../given/console/hosts.ts';
import { givenMe, givenOverview } from '../../given/console/overview.ts';
import { pageOf } from '../../given/console/routes.ts';
import { givenSettings } from '../../given/console/settings.ts';
import { givenConsole, overflow, settled } from './open-console.ts';

const refused = /Failed to load resource/;
const failure = () =>
  problemOf(503, { code: 'unavailable', detail: 'The database does not answer', hint: 'wait' });
const pages = [
  ['the overview', '/', 'GET /overview', ''],
  ['the accounts', '/accounts', 'GET /accounts', ''],
  ['an account', '/accounts/contoso', 'GET /accounts/{name}', ''],
  ['the hosts', '/hosts', 'GET /hosts', ''],
  ['a host', '/accounts/contoso/hosts/10000', 'GET /accounts/{name}/hosts/{id}', ''],
  ['the approvals', '/approvals', 'GET /plans', 'Reading the plans failed'],
  ['the rollouts', '/rollouts', 'GET /rollouts', 'Reading the rollouts failed'],
  ['the audit log', '/audit', 'GET /audit', 'Reading the audit log failed'],
  ['the settings', '/settings', 'GET /settings', 'Reading the settings failed'],
] as const;

describe.runIf(hasChromium)('states of the console', () => {
  const open = givenConsole();

  it.each(pages)('%s says what failed, and reads again on request', async (_page, path, operation, what) => {
    const { page, api, faults } = await open(path, { routes: { [operation]: failure }, expected: refused });
    const alert = page.getByRole('alert').filter({ hasText: what }).first();
    await expect.poll(() => alert.innerText()).toContain('The database does not answer');
    // All pages show a failure with the same component.
    if (path === '/accounts/contoso') expect(await axeFindings(page)).toEqual([]);
    const resource = operation.replace('GET ', '').replace('{name}', 'contoso').replace('{id}', '10000');
    const asked = () => api.requests.filter((each) => each.path === resource).length;
    const before = asked();
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await expect.poll(asked).toBeGreaterThan(before);
    expect(faults).toEqual([]);
  });

  it.each(['/accounts/contoso', '/'])('says since when a folder causes differences: %s', async (path) => {
    const by = { kind: 'commit', id: `sha256:${'37d9a943'.repeat(8)}`, name: null, others: true } as const;
    const [cause] = causes.filter(({ kind }) => kind === 'file').map((each) => ({ ...each, by }));
    const { page } = await open(path, {
      routes: {
        'GET /accounts/{name}': { body: { ...givenAccountDetail(), causes: [cause] } },
        'GET /overview': { body: { ...givenOverview(), causes: [cause] } },
      },
    });
    const words = page.getByText('since the files changed');
    await words.waitFor();
    expect(await words.innerText()).toBe('since the files changed (37d9a943 and others)');
    expect(await page.locator('main').innerText()).not.toMatch(/unknown author|contents/);
  });

  it.each([
    ['/accounts?q=nothing', 'No account matches', 'Show all accounts'],
    ['/hosts?q=nothing-like-it', 'No host matches', 'Show all hosts'],
  ])('an empty search on %s links back to all rows', async (path, title, back) => {
    const { page, faults } = await open(path);
    await page.getByText(title).waitFor();
    if (path.startsWith('/hosts')) expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: back }).click();
    await page.locator('main [data-row]').first().waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('');
    expect(faults).toEqual([]);
  });

  it('explains why each list is empty', async () => {
    const none = { body: { items: [] } };
    const routes = {
      'GET /plans': none,
      'GET /rollouts': none,
      'GET /audit': none,
      'GET /tokens': none,
      'GET /settings': { body: givenSettings({ sources: [], notifications: [], roles: [] }) },
    };
    for (const [path, text] of [
      ['/approvals', 'No plan waits for approval'],
      ['/rollouts', 'No rollout yet'],
      ['/audit', 'No records yet'],
      ['/settings', 'No sources'],
      ['/settings?tab=notifications', 'Nobody is notified'],
      ['/settings?tab=tokens', 'No tokens yet'],
      ['/settings?tab=roles', 'No group has a role'],
    ] as const) {
      const { page, faults } = await open(path, { routes });
      await page.getByText(text).waitFor();
      // All pages show emptiness with the same component.
      if (path === '/settings?tab=tokens') expect(await axeFindings(page)).toEqual([]);
      expect(faults).toEqual([]);
    }
  });

  it('a label expression that is not complete says why beside its field', async () => {
    const { page, faults } = await open('/accounts?where=region+%3D%3D', {
      routes: {
        'GET /accounts': () =>
          problemOf(422, {
            code: 'invalid-expression',
            detail: 'a value is missing after ==',
            hint: 'the labels are region',
          }),
      },
      expected: refused,
    });
    await page.getByText('The filter is not complete').waitFor();
    const field = page.getByRole('textbox', { name: 'Labels' });
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator('.field-problem').innerText()).toBe(
      'a value is missing after ==; the labels are region',
    );
    expect(await axeFindings(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('the buttons of an account say what they queued', async () => {
    const { page } = await open('/accounts/contoso');
    await settled(page);
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByText('The check is queued. This page shows its result.').waitFor();
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    await page.getByText('It appears on the History tab if anything differs.').waitFor();
  });

  it('an account says beside its buttons why the server refused one, and what to do', async () => {
    const { page } = await open('/accounts/contoso', {
      routes: {
        'POST /accounts/check': () =>
          problemOf(409, { title: 'The account is paused', hint: 'Resume it first' }),
      },
      expected: refused,
    });
    await page.getByRole('button', { name: 'Check now' }).click();
    const fault = page.locator('.page-actions').getByRole('alert');
    await fault.getByText('Resume it first').waitFor();
    expect(await fault.innerText()).toContain('The account is paused');
    expect(await axeFindings(page)).toEqual([]);
  });

  it('an account without drift, plans or hosts explains what would appear', async () => {
    const calm = givenAccountDetail({
      health: 'converged',
      drifted: 0,
      causes: [],
      policies: [],
      coverage: { inventory: [], antivirus: [], tables: [] },
    });
    const none = (request: Parameters<typeof pageOf>[0]) => pageOf(request, []);
    const { page, api, faults } = await open('/accounts/contoso', {
      routes: {
        'GET /accounts/{name}': { body: calm },
        'GET /accounts/{name}/timeline': none,
        'GET /plans': none,
      },
    });
    for (const [tab, title] of [
      ['drift', 'Nothing differs'],
      ['history', 'Nothing has happened yet'],
      ['coverage', 'Coverage unknown'],
      ['policies', 'No policies'],
    ] as const) {
      await page.goto(`${api.address}/accounts/contoso?tab=${tab}`);
      await page.locator('.empty-title', { hasText: title }).waitFor();
    }
    calm.health = 'in_doubt';
    await page.goto(`${api.address}/accounts/contoso?tab=drift`);
    await page.locator('.empty-title', { hasText: 'Nothing else differs' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('the list of accounts shows a plan that waits and the pause of its account', async () => {
    const account = givenAccount({
      plan: { id: 'pl_contoso_9', checksum: '9f2c41d07ab35e66', changes: 12, irreversible: 0 },
      pause: {
        id: 'pa_1',
        scope: 'account:contoso',
        by: { kind: 'person', id: 'ada', name: 'Ada Lovelace' },
        reason: 'The site moves.',
        at: '2026-11-22T08:00:00.000Z',
        until: null,
      },
    });
    const { page } = await open('/accounts', {
      routes: { 'GET /accounts': { body: { items: [account], total: 1 } } },
    });
    const why = page.locator('.why').first();
    await expect
      .poll(() => why.innerText())
      .toBe('12 changes to review, paused by Ada Lovelace: The site moves.');
    expect(await why.getByRole('link').getAttribute('href')).toBe('/changes/pl_contoso_9');
  });

  it('a failing and a paused account, and one whose plan was rejected, say why and since when', async () => {
    const account = givenAccountDetail({
      ...givenAccount({ health: 'failing' }),
      failure: {
        since: '2026-11-23T06:12:00.000Z',
        attempts: 7,
        code: 'service-unavailable',
        message: 'GET /devices was answered with 503',
        hint: 'the next attempt follows automatically',
        retry_at: '2026-11-23T08:04:00.000Z',
      },
      pause: {
        id: 'pa_1',
        scope: 'account:contoso',
        by: { kind: 'person', id: 'ada', name: 'Ada Lovelace' },
        reason: 'The site moves.',
        at: '2026-11-22T08:00:00.000Z',
        until: '2026-11-24T08:00:00.000Z',
      },
      rejection: {
        plan: 'pl_contoso_5',
        by: { kind: 'person', id: 'grace', name: 'Grace Hopper' },
        at: '2026-11-23T07:00:00.000Z',
        reason: 'The kiosks are still in use',
      },
    });
    const { page } = await open('/accounts/contoso', {
      routes: { 'GET /accounts/{name}': { body: account } },
    });
    const notices = page.locator('main .banner');
    await expect.poll(() => notices.innerText()).toContain('7 attempts failed, the first 2 h ago');
    expect(await notices.innerText()).toContain(
      'Ada Lovelace paused this account yesterday 09:00 until tomorrow 09:00: The site moves.',
    );
    expect(await notices.innerText()).toContain(
      'Grace Hopper rejected the plan 1 h ago: The kiosks are still in use. Checks make no new plan',
    );
    expect(await notices.getByRole('link', { name: 'Show the change' }).getAttribute('href')).toBe(
      '/changes/pl_contoso_5',
    );
    expect(await axeFindings(page)).toEqual([]);
  });

  it.each([
    ['in_doubt', 'It is unknown whether a write call changed the fleet.'],
    ['in_progress', 'The service accepted a change that no read shows yet.'],
  ] as const)('an account that is %s explains it, and links to its history', async (health, meaning) => {
    const account = givenAccountDetail({ ...givenAccount({ health, plan: null, drifted: 0 }) });
    const { page } = await open('/accounts/contoso', {
      routes: { 'GET /accounts/{name}': { body: account } },
    });
    const notices = page.locator('main .banner');
    await expect.poll(() => notices.innerText()).toContain(meaning);
    await notices.getByRole('link', { name: 'Show the history' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('?tab=history');
  });

  it('a broken connection shows a banner until it returns, and the page keeps what it last read', async () => {
    const { page, api } = await open('/accounts', { expected: refused });
    await settled(page);
    await expect.poll(() => api.readers()).toBe(1);
    await api.cut();
    await page.getByText('The connection to the server is lost').waitFor();
    expect(await page.locator('main [data-row]').count()).toBeGreaterThan(5);
    expect(await axeFindings(page)).toEqual([]);
    await api.restore();
    await page.getByText('The connection to the server is lost').waitFor({ state: 'detached' });
  });

  it.each([
    [403, 'Your roles do not allow this.'],
    [429, 'Too many requests were sent. Try again in 7 s.'],
    [500, 'Internal error'],
  ])('a dialog keeps what was typed after a response %i, and says what to do', async (status, text) => {
    const { page, api, faults } = await open('/accounts/contoso', { expected: refused });
    await settled(page);
    await page.getByRole('button', { name: 'Pause' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('The site moves.');
    api.on('POST /pauses', () => ({ ...problemOf(status), headers: { 'retry-after': '7' } }));
    if (status === 403) api.on('GET /me', { body: givenMe({ grants: [{ role: 'viewer' }] }) });
    await dialog.getByRole('button', { name: 'Pause 1 account' }).click();
    await expect.poll(() => dialog.getByRole('alert').innerText()).toContain(text);
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('The site moves.');
    expect(await dialog.evaluate((element) => element.contains(element.ownerDocument.activeElement))).toBe(
      true,
    );
    if (status === 403) {
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Pause' }).waitFor({ state: 'detached' });
    }
    expect(faults).toEqual([]);
  });

  it('a page reads again by itself after the server asked it to wait', async () => {
    const { page, api } = await open('/accounts/contoso', {
      routes: { 'GET /accounts/{name}': () => ({ ...problemOf(503), headers: { 'retry-after': '1' } }) },
      expected: refused,
    });
    await page.getByText("The server can't answer now. Try again in 1 s.").waitFor();
    api.on('GET /accounts/{name}', { body: givenAccountDetail() });
    await page.locator('.drift').waitFor();
  });

  it('an expired session keeps what was typed, and continues when the reader has signed in again', async () => {
    const { page, api } = await open('/accounts', { expected: refused });
    await settled(page);
    await page.getByRole('checkbox', { name: 'Select contoso-0000' }).check();
    await page.getByRole('button', { name: 'Pause' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('The site moves.');
    api.on('POST /pauses', () => problemOf(401, { code: 'not-authenticated', title: 'Not signed in' }));
    await dialog.getByRole('button', { name: 'Pause 1 account' }).click();
    await page.getByText('Your session has expired').waitFor();
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('The site moves.');
    api.on('POST /pauses', { body: {} });
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    await page.getByText('Your session has expired').waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Pause 1 account' }).click();
    await page.getByText('1 account paused.').first().waitFor();
  });

  it('an expired session is shown even if only the stream of events reports it', async () => {
    const { page, api } = await open('/', { expected: refused });
    await settled(page);
    await expect.poll(() => api.readers()).toBe(1);
    const expired = () => problemOf(401, { code: 'not-authenticated', title: 'Not signed in' });
    api.on('GET /me', expired);
    api.on('GET /events', expired);
    await api.cut();
    await api.restore();
    await page.getByText('Your session has expired').waitFor();
    expect(await page.getByRole('link', { name: 'Sign in in a new tab' }).getAttribute('target')).toBe(
      '_blank',
    );
    expect(await axeFindings(page)).toEqual([]);
  });

  it('a printed page has exact times and no navigation', async () => {
    const { page } = await open('/accounts/contoso', { viewport: { width: 794, height: 1123 } });
    await settled(page);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('header.top').isVisible()).toBe(false);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    const shown = await page.evaluate<string>(
      "getComputedStyle(document.querySelector('.drift-table time'), '::after').content",
    );
    expect(shown).toBe('"Mon, 23 Nov 2026, 08:40:00 CET"');
  });

  it('a reader without a role can sign in as someone else', async () => {
    const { page } = await open('/no-role', { routes: { 'GET /me': () => problemOf(401) } });
    await page.getByText('Your account has no role on this server').waitFor();
    const link = page.getByRole('link', { name: 'Sign in as someone else' });
    expect(await link.getAttribute('href')).toBe('/login?prompt=login');
    expect(await axeFindings(page)).toEqual([]);
  });

  it('a reader who is not signed in is led to the login, and back to the same page', async () => {
    const { page } = await open('/accounts?health=failing', {
      routes: { 'GET /me': () => problemOf(401) },
      expected: refused,
    });
    const link = page.getByRole('link', { name: 'Sign in' });
    expect(await link.getAttribute('href')).toBe('/login?return=%2Faccounts%3Fhealth%3Dfailing');
    expect(await axeFindings(page)).toEqual([]);
  });

  it('the overview never presents a part of a list as the whole', async () => {
    const { page, api } = await open('/', {
      routes: {
        'GET /overview': { body: givenOverview({ more: { causes: true, waiting: true, running: true } }) },
      },
    });
    const waiting = page.getByRole('heading', { name: /^Waiting for you/ });
    await expect.poll(() => waiting.innerText()).toMatch(/\d\+$/);
    await page.getByRole('link', { name: /^Approvals \d\+ waiting for you/ }).waitFor();
    const [first] = causes;
    const many = Array.from({ length: 70 }, (_, index) => ({
      ...first,
      id: `ca_${index}`,
      title: `Cause ${index}`,
    }));
    api.on('GET /causes', (request) => pageOf(request, many));
    await page.getByRole('link', { name: 'Show all causes' }).click();
    await page.getByText('50+ causes').waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByText('70 causes').waitFor();
    expect(await page.locator('main [data-row]').count()).toBe(70);
    expect(new URL(page.url()).pathname).toBe('/causes');
    await page.goBack();
    api.on('GET /overview', {
      body: givenOverview({ waiting: [], more: { causes: true, waiting: true, running: false } }),
    });
    await page.reload();
    await page.getByText('None of the latest plans waits for your approval.').waitFor();
  });

  it('a filter of hosts never presents the number of counted hosts as the total', async () => {
    const counted = (is_complete: boolean, drifted: number) => ({
      body: { ...facets, states: [{ value: 'online', hosts: 9_000 }], drifted, total: 10_000, is_complete },
    });
    const { page } = await open('/hosts', { routes: { 'GET /hosts/facets': counted(false, 5) } });
    await settled(page);
    const numbers = () => page.locator('.facet-count').allInnerTexts();
    await expect.poll(async () => (await numbers()).slice(0, 2)).toEqual(['5', '9,000+']);
    const whole = await open('/hosts', { routes: { 'GET /hosts/facets': counted(true, 10_000) } });
    await settled(whole.page);
    await expect.poll(async () => (await numbers()).slice(0, 2)).toEqual(['10,000+', '9,000']);
  });

  it("numbers and times use the reader's language and time zone", async () => {
    const { page } = await open('/', {
      reader: { locale: 'de-DE', timezoneId: 'America/New_York', reducedMotion: 'reduce' },
    });
    await settled(page);
    await expect.poll(() => page.locator('.below').innerText()).toContain('1.204 accounts');
    expect(await page.locator('main time[title]').first().getAttribute('title')).toMatch(
      /^Mo\., 23\. Nov\. 2026, \d\d:\d\d:\d\d GMT-5$/,
    );
  });

  it('a server without accounts opens the page that connects the first one', async () => {
    const { page } = await open('/', {
      routes: { 'GET /overview': { body: givenOverview({ accounts: 0 }) } },
    });
    await page.waitForURL(/\/welcome$/);
  });

  it.each(['/accounts/%', '/accounts/a%2Fb', '/accounts/../x'])('address %s shows a page', async (path) => {
    const { page } = await open(path, { expected: refused });
    await page.locator('h1, .fault').first().waitFor();
  });
});
