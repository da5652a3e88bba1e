import { setTimeout } from 'node:timers/promises';
import type { Locator } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { axeFindings } from '../../given/axe.ts';
import { hasChromium } from '../../given/chromium.ts';
import { givenAccountDetail, givenAccounts } from '../../given/console/accounts.ts';
import { givenHistory, givenOverview } from '../../given/console/overview.ts';
import { after, givenComparison, givenPlanRow } from '../../given/console/plans.ts';
import { accountsRoute, pageOf, usualRoutes } from '../../given/console/routes.ts';
import { workRoutes } from '../../given/console/work-routes.ts';
import { givenConsole, settled } from './open-console.ts';

describe.runIf(hasChromium)('the console while things change', () => {
  const open = givenConsole();

  it('a row changes in place, and the list keeps its order until the reader updates it', async () => {
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
    const notice = page.getByRole('button', { name: '1 moved: update the list' });
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
      .getByRole('heading', { name: '1 account is in doubt, 41 have drifted and 3 have a waiting plan' })
      .waitFor();
    const causes = page.getByRole('table', { name: 'Causes' });
    expect(await causes.locator('tbody tr').first().innerText()).toContain('resolved');
    await page.getByRole('button', { name: '1 no longer listed: update the list' }).click();
    await expect.poll(() => causes.innerText()).not.toContain(resolved!.title);
  });

  it.each([
    ['a page', '/accounts/contoso', 'GET /accounts/{name}', 1_000],
    ['a list', '/approvals', 'GET /plans', 2_000],
  ])('%s ends a slow read while events come faster than responses', async (_what, path, operation, quiet) => {
    const { page, api } = await open('about:blank');
    const route = { ...usualRoutes(), ...workRoutes() }[operation]!;
    api.on(operation, async (request) => {
      await setTimeout(quiet * 1.5);
      return typeof route === 'function' ? route(request) : { status: 200, body: route.body };
    });
    await page.goto(api.address + path);
    await expect.poll(() => api.readers()).toBe(1);
    const events = setInterval(() => {
      api.emit({ type: 'account.changed', account: 'contoso' });
      api.emit({ type: 'plan.changed', account: 'contoso' });
    }, 100);
    onTestFinished(() => clearInterval(events));
    await settled(page);
    await page.locator('table, [role=table]').first().waitFor();
  });

  it.each([
    ['the overview', '/', { changes: [0, 41, 1] }, 'Changes: from 0, at most 41, now 1'],
    [
      'an account',
      '/accounts/contoso',
      { drifted: [0, 43, 2] },
      'Hosts that differ, last 7 days: from 0, at most 43, now 2',
    ],
  ])('the curves of %s follow checks and runs', async (_page, path, series, name) => {
    const { page, api } = await open(path);
    await settled(page);
    await expect.poll(() => api.readers()).toBe(1);
    const curve = page.getByRole('img', { name });
    expect(await curve.count()).toBe(0);
    api.on('GET /history', { body: givenHistory({ series: { ...givenHistory().series, ...series } }) });
    api.emit({ type: 'run.changed', account: 'contoso' });
    await expect.poll(() => curve.count(), { timeout: 20_000 }).toBe(1);
  });

  it.each([
    [[0, 43, 2], '2 hosts now, at most 43'],
    [[1, 1, null], 'unknown now, at most 1'],
    [[null, null, null], '–'],
  ])('an account says its hosts that differ next to their curve: %j', async (drifted, words) => {
    const { page } = await open('/accounts/contoso', {
      routes: { 'GET /history': { body: givenHistory({ series: { ...givenHistory().series, drifted } }) } },
    });
    const fact = page.locator('.facts > div', { hasText: 'Hosts that differ, last 7 days' }).locator('dd');
    await expect.poll(async () => (await fact.innerText()).trim()).toBe(words);
  });

  it('a check that is due in a moment was not "just now"', async () => {
    const body = givenAccountDetail({ next_check_at: after(0.1) });
    const { page } = await open('/accounts/contoso', { routes: { 'GET /accounts/{name}': { body } } });
    await settled(page);
    const fact = page.locator('.facts > div', { hasText: 'Next check' }).locator('dd');
    expect(await fact.innerText()).toBe('due now');
  });

  it('the list of accounts says how many there are before all of them are read', async () => {
    const body = { items: givenAccounts(100), next: 'more' };
    const { page } = await open('/accounts', { routes: { 'GET /accounts': { body } } });
    await page.getByRole('status').filter({ hasText: '1,204 accounts' }).waitFor();
  });

  it('several accounts are paused at once, with a reason and an end', async () => {
    const { page, api, faults } = await open('/accounts');
    await settled(page);
    await page.getByRole('checkbox', { name: 'Select contoso-0000' }).check();
    await page.getByRole('checkbox', { name: 'Select fabrikam-0001' }).check();
    await page.getByRole('button', { name: 'Pause' }).click();
    const dialog = page.getByRole('dialog');
    const confirm = dialog.getByRole('button', { name: 'Pause 2 accounts' });
    expect(await confirm.getAttribute('aria-disabled')).toBe('true');
    await dialog.getByText('Enter a reason first.').waitFor();
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
    ['Check now', '/accounts/check', '1 check queued for 1 account.'],
    ['Plan', '/accounts/plan', '1 plan queued for 1 account.'],
  ])('the button "%s" queues the work, and the work changes no fleet', async (button, path, said) => {
    const { page, api } = await open('/accounts');
    await settled(page);
    await page.getByRole('checkbox', { name: 'Select contoso-0000' }).check();
    await page.getByRole('button', { name: button, exact: true }).click();
    await page.getByText(said).first().waitFor();
    const [sent] = api.requests.filter(({ method }) => method === 'POST');
    expect([sent?.path, sent?.body]).toEqual([path, { names: ['contoso-0000'] }]);
  });

  it('ignores a difference until a time with a reason, and stops on request', async () => {
    const { page, api, faults } = await open('/accounts/contoso');
    await settled(page);
    await page.getByRole('button', { name: 'Ignore till 001 (Ada)' }).click();
    const dialog = page.getByRole('dialog', { name: 'Ignore 1 difference' });
    const confirm = dialog.getByRole('button', { name: 'Ignore', exact: true });
    expect(await confirm.getAttribute('aria-disabled')).toBe('true');
    await dialog.getByLabel('Reason').fill('The till is on loan.');
    await dialog.getByLabel('How long').selectOption('30 days');
    expect(await axeFindings(page)).toEqual([]);
    await confirm.click();
    await page.getByText('1 difference ignored. A check is queued to update the counts.').first().waitFor();
    await page.getByRole('button', { name: 'Ignore all until…' }).first().click();
    await page.getByLabel('Reason').fill('All of them.');
    await page.getByRole('dialog').getByRole('button', { name: 'Ignore all' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Stop ignoring BER-LOAN-001' }).click();
    await expect.poll(() => api.requests.some(({ method }) => method === 'DELETE')).toBe(true);
    const sent = api.requests.filter(({ method }) => method !== 'GET');
    expect(sent.map(({ method, path, body }) => [method, path, body])).toEqual([
      [
        'POST',
        '/accounts/contoso/ignores',
        {
          differences: [{ host_id: '10000', attribute: 'name' }],
          reason: 'The till is on loan.',
          until: '2026-12-23T08:00:00.000Z',
        },
      ],
      [
        'POST',
        '/accounts/contoso/ignores',
        { cause: 'ca_kiosks', reason: 'All of them.', until: '2026-11-30T08:00:00.000Z' },
      ],
      ['DELETE', '/accounts/contoso/ignores/ig_1', undefined],
    ]);
    expect(faults).toEqual([]);
  });

  it.each([
    [1280, 60],
    [390, 140],
  ])('shows what to do about all differences above them, in %i pixels', async (width, most) => {
    const { page } = await open('/accounts/contoso', { viewport: { width, height: 900 } });
    await settled(page);
    const boxOf = async (part: Locator) => (await part.boundingBox())!;
    const acts = await boxOf(page.getByRole('list', { name: 'What you can do' }));
    const first = await boxOf(page.locator('.folded').first());
    expect(first.y).toBeGreaterThanOrEqual(acts.y + acts.height);
    expect(acts.height).toBeLessThan(most);
    const adopt = await boxOf(page.getByRole('link', { name: 'Adopt everything…' }));
    expect(adopt.height).toBeLessThan(44);
    const stop = await boxOf(page.getByRole('button', { name: 'Stop ignoring BER-LOAN-001' }));
    const row = await boxOf(page.locator('tr', { hasText: 'BER-LOAN-001' }));
    if (width > 390) expect(Math.abs(stop.y + stop.height / 2 - row.y - row.height / 2)).toBeLessThan(3);
  });

  it('leads from a cause to its accounts if there is no plan to review', async () => {
    const { page } = await open('/');
    await page.getByRole('link', { name: /^Details of: the service at/i }).click();
    await page.waitForURL('**/accounts?cause=*');
  });

  it('leads from a difference, and from chosen hosts, to a pull request with the reviewed patch', async () => {
    const { page, api, faults } = await open('/accounts/contoso');
    await settled(page);
    await page.getByRole('link', { name: /^Adopt till 001/ }).click();
    await page.waitForURL('**/propose?*');
    await page.getByRole('button', { name: 'Show the patch and its plan' }).click();
    await page.getByRole('region', { name: 'Patch of fleet' }).waitFor();
    await page.goto(`${new URL(page.url()).origin}/hosts`);
    await settled(page);
    await page.getByRole('checkbox', { name: 'Select BER-KIOSK-000000' }).check();
    await page.getByRole('link', { name: 'Move to a group…' }).click();
    const show = page.getByRole('button', { name: 'Show the patch and its plan' });
    expect(await show.getAttribute('aria-disabled')).toBe('true');
    await page.getByLabel('Group', { exact: true }).fill('Lisbon');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Patch of fleet' }).waitFor();
    await page.getByText('1 change by this patch, 2 were already waiting').waitFor();
    await page.getByText('its entry is in a script').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByLabel('Reason').focus();
    await page.keyboard.type(' The tills move to Lisbon');
    await page.getByRole('button', { name: 'Open a pull request' }).click();
    await page.getByRole('link', { name: 'Pull request 128' }).waitFor();
    const change = { kind: 'move', group: 'Lisbon' };
    expect(
      api.requests.filter(({ method }) => method === 'POST').map(({ path, body }) => [path, body]),
    ).toEqual([
      ['/proposals', { hosts: [{ account: 'contoso', host_id: '10000' }], change: { kind: 'adopt' } }],
      ['/proposals', { hosts: [{ account: 'contoso-0000', host_id: '10000' }], change }],
      [
        '/proposals/open',
        {
          hosts: [{ account: 'contoso-0000', host_id: '10000' }],
          change,
          digest: 'd'.repeat(64),
          reason: 'The tills move to Lisbon',
        },
      ],
    ]);
    expect(faults).toEqual([]);
  });

  it('starts a rollout of the chosen accounts with their plans, waves and exact numbers', async () => {
    const plans = ['contoso-0000', 'fabrikam-0001'].map((account, index) =>
      givenPlanRow({
        id: `pl_${index}`,
        account,
        required: {
          approvals: 1,
          not_author: false,
          approvers: [],
          numbers: index === 0 ? [{ limit: 'delete', value: 3, allowed: 1 }] : [],
        },
      }),
    );
    const { page, api, faults } = await open('/accounts', {
      routes: { 'POST /plans/compare': { body: givenComparison(plans) } },
    });
    await settled(page);
    await page.getByRole('checkbox', { name: 'Select contoso-0000' }).check();
    await page.getByRole('checkbox', { name: 'Select fabrikam-0001' }).check();
    await page.getByRole('button', { name: 'Start a rollout…' }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/rollouts/new');
    const start = page.getByRole('button', { name: 'Approve and start with 2 accounts' });
    await start.waitFor();
    expect(await page.locator('.wave').count()).toBe(2);
    await page.getByText('Type the exact numbers of contoso-0000.').waitFor();
    await page.getByLabel('Number of deletions of contoso-0000').fill('4');
    await page.getByText('The plan has 3.').waitFor();
    await page.getByLabel('Number of deletions of contoso-0000').fill('3');
    await page.getByRole('textbox', { name: 'Reason' }).fill('Spring names');
    await page.getByLabel('After the first wave').selectOption('all at once');
    await page.getByLabel('Minutes between waves').fill('15');
    expect(await axeFindings(page)).toEqual([]);
    await page.reload();
    await start.waitFor();
    expect(await page.getByRole('textbox', { name: 'Reason' }).inputValue()).toBe('Spring names');
    expect(new URL(page.url()).searchParams.get('accounts')).toBe('contoso-0000 fabrikam-0001');
    await start.click();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/rollouts/ro_spring');
    const checksum = givenPlanRow().checksum;
    expect(api.requests.find(({ path }) => path === '/plans/compare')?.body).toEqual({
      accounts: ['contoso-0000', 'fabrikam-0001'],
    });
    expect(api.requests.find(({ method, path }) => method === 'POST' && path === '/rollouts')?.body).toEqual({
      plans: [
        { id: 'pl_0', checksum, numbers: { delete: 3 } },
        { id: 'pl_1', checksum, numbers: {} },
      ],
      reason: 'Spring names',
      canary: ['contoso-0000'],
      waves: [100],
      max_failed: 0,
      pause_seconds: 900,
    });
    expect(faults).toEqual([]);
  });

  it('reviews the plans of one cause together, those that differ first, and approves the selected ones', async () => {
    const plans = ['adatum', 'contoso', 'fabrikam'].map((account, index) =>
      givenPlanRow({
        id: `pl_${index}`,
        account,
        counts: { rename: 10 + index, move: 0, delete: index === 1 ? 2 : 0, install: 0, refresh: 0 },
        required: { approvals: index === 2 ? 2 : 1, not_author: false, numbers: [], approvers: [] },
      }),
    );
    const comparison = givenComparison(plans, {
      usual: { accounts: ['adatum', 'fabrikam'], text: '10 to 12 renames, most in fabrikam' },
      unusual: [{ accounts: ['contoso'], text: 'also 2 deletions: KSK-09, KSK-10' }],
      without_plan: [{ accounts: ['northwind'], text: 'group "Kiosks" does not exist' }],
    });
    const { page, api, faults } = await open('/', {
      routes: { 'POST /plans/compare': { body: comparison } },
    });
    await page.getByRole('link', { name: /^Review the plans of: renamed by hand/i }).click();
    await page.getByRole('heading', { name: /renamed by hand/i, level: 1 }).waitFor();
    const table = page.getByRole('table', { name: 'Plans of the rollout' });
    await table.waitFor();
    expect(api.requests.findLast(({ path }) => path === '/plans/compare')?.body).toEqual({
      cause: 'ca_kiosks',
    });
    await page
      .getByText('2 of 3 accounts get the same kind of changes: 10 to 12 renames, most in fabrikam.')
      .waitFor();
    await page.getByText('31 accounts, 212 hosts').waitFor();
    api.on('GET /causes', (request) =>
      pageOf(request, [{ ...givenOverview().causes[1], accounts: 30, hosts: 200 }]),
    );
    api.emit({ type: 'account.changed', account: 'adatum' });
    await page.getByText('30 accounts, 200 hosts').waitFor();
    const differing = page.getByRole('table', { name: 'Accounts that differ' });
    expect(await differing.locator('tbody tr').allInnerTexts()).toEqual([
      'contoso\n\talso 2 deletions: KSK-09, KSK-10',
      'northwind\n\tNo plan: group "Kiosks" does not exist',
    ]);
    expect(await table.getByRole('rowheader').allInnerTexts()).toEqual(['contoso', 'adatum', 'fabrikam']);
    await page.getByText('In total, 2 deletions, 33 renames on 3 accounts.').waitFor();
    await page.getByText('needs 1 more approval besides yours').waitFor();
    await page.getByRole('checkbox', { name: 'Select fabrikam' }).uncheck();
    await page.getByText('In total, 2 deletions, 21 renames on 2 accounts.').waitFor();
    await page.getByText('Without a rollout, 2 of them would run at once.').waitFor();
    await page.getByRole('button', { name: 'Approve 2 plans without a rollout' }).click();
    await expect
      .poll(() => api.requests.map(({ path }) => path).filter((path) => path.endsWith('/approve')))
      .toEqual(['/plans/pl_0/approve', '/plans/pl_1/approve']);
    expect(await axeFindings(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('a link to a rollout has its accounts, those that are left out, and its waves', async () => {
    const plans = ['adatum', 'contoso', 'fabrikam'].map((account) =>
      givenPlanRow({ id: `pl_${account}`, account }),
    );
    const routes = { 'POST /plans/compare': { body: givenComparison(plans) } };
    const { page } = await open('/rollouts/new?accounts=adatum+contoso+fabrikam', { routes });
    await page.getByRole('checkbox', { name: 'Select fabrikam' }).uncheck();
    await page.getByRole('checkbox', { name: 'adatum in the first wave' }).uncheck();
    await page.getByLabel('After the first wave').selectOption('half, all');
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole('button', { name: 'Approve and start with 2 accounts' }).waitFor();
    expect(await other.getByRole('checkbox', { checked: true }).count()).toBe(2);
    expect(await other.getByLabel('After the first wave').inputValue()).toBe('50,100');
    expect(await other.locator('.wave').count()).toBe(2);
  });

  it('a review of so many accounts that the address could not name those left out keeps them in this tab', async () => {
    const plans = Array.from({ length: 150 }, (_, at) => `contoso-${'kiosks-'.repeat(7)}${at}`).map(
      (account) => givenPlanRow({ id: `pl_${account}`, account }),
    );
    const routes = { 'POST /plans/compare': { body: givenComparison(plans) } };
    const { page } = await open('/rollouts/new?cause=ca_kiosks', { routes });
    await page.getByRole('checkbox', { name: /^Select all/ }).uncheck();
    await page.getByRole('checkbox', { name: `Select contoso-${'kiosks-'.repeat(7)}7`, exact: true }).check();
    const start = page.getByRole('button', { name: 'Approve and start with 1 account' });
    await start.waitFor();
    expect(page.url().length).toBeLessThan(8_000);
    await page.reload();
    await start.waitFor();
  });

  it('a review keeps what someone selects and types, and leaves out a plan that they have not seen', async () => {
    const numbers = [{ limit: 'delete', value: 3, allowed: 1 }];
    const planOf = (account: string, id = `pl_${account}`) =>
      givenPlanRow({
        id,
        account,
        required: {
          approvals: 1,
          not_author: false,
          approvers: [],
          numbers: account === 'contoso' ? numbers : [],
        },
      });
    const plans = [planOf('adatum'), planOf('contoso'), planOf('fabrikam')];
    const { page, api, faults } = await open('/rollouts/new?cause=ca_kiosks', {
      routes: { 'POST /plans/compare': () => ({ status: 200, body: givenComparison(plans) }) },
    });
    const number = page.getByLabel('Number of deletions of contoso');
    await number.fill('3');
    await page.getByLabel('Minutes between waves').fill('15');
    await page.getByRole('checkbox', { name: 'contoso in the first wave' }).check();
    await number.focus();
    plans.splice(0, 1, planOf('adatum', 'pl_adatum_2'));
    api.emit({ type: 'plan.changed', account: 'adatum' });
    await page.getByText('new plan: select it after review').waitFor();
    expect(await page.evaluate<string>('document.activeElement.value')).toBe('3');
    expect(await page.getByLabel('Minutes between waves').inputValue()).toBe('15');
    expect(await page.getByRole('checkbox', { name: 'contoso in the first wave' }).isChecked()).toBe(true);
    expect(await page.getByRole('checkbox', { name: 'Select adatum' }).isChecked()).toBe(false);
    await page.getByRole('textbox', { name: 'Reason' }).fill('Spring names');
    await page.getByRole('button', { name: 'Approve and start with 2 accounts' }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/rollouts/ro_spring');
    const sent = api.requests.find(({ method, path }) => method === 'POST' && path === '/rollouts')?.body;
    expect(sent).toMatchObject({ plans: [{ id: 'pl_contoso' }, { id: 'pl_fabrikam' }], pause_seconds: 900 });
    expect(faults).toEqual([]);
  });

  it('labels, health filters and the Back button change the list and the address together', async () => {
    const { page, api } = await open('/accounts');
    await settled(page);
    await page.getByLabel('Health').selectOption({ label: '▲ failing' });
    await expect.poll(() => page.locator('main [data-row]').count()).toBeLessThan(30);
    await page.locator('a.label').first().click();
    await expect.poll(() => new URL(page.url()).searchParams.get('where')).toBe('region == "eu"');
    await expect.poll(() => api.requests.at(-1)?.query.get('where')).toBe('region == "eu"');
    await page.goBack();
    await page.goBack();
    await expect.poll(() => new URL(page.url()).search).toBe('');
    await expect.poll(() => page.getByRole('textbox', { name: 'Labels' }).inputValue()).toBe('');
  });
});
