import { describe, expect, it } from 'vitest';
import type { Role } from '../../../src/api/access/action.ts';
import { hasChromium } from '../../given/chromium.ts';
import { givenAccount } from '../../given/console/accounts.ts';
import { givenMe } from '../../given/console/overview.ts';
import { before, givenPlanRow } from '../../given/console/plans.ts';
import { pageOf } from '../../given/console/routes.ts';
import { givenRolloutDetail } from '../../given/console/runs.ts';
import { givenConsole, settled } from './open-console.ts';

const sentBy = (requests: readonly { method: string; path: string; body: unknown }[]) =>
  requests.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => [method, path, body]);

const pagesWithActions = [
  ['/accounts/contoso', '.drift-table tbody tr'],
  ['/changes/pl_contoso_1', '.decision'],
  ['/changes/pl_northwind_7', '.event'],
  ['/changes/pl_contoso_4', '.event'],
  ['/rollouts/ro_spring', '.wave'],
  ['/settings?tab=notifications', '.target'],
  ['/settings?tab=tokens', '.empty, table'],
] as const;

/** Buttons that change something. Other buttons only change the page. */
const acts =
  /^(Check|Plan|Pause|Resume|Continue|Propose|Ignore|Approve|Reject|Rehearse|Comment|Add|Stop|Undo|Abort|Send|New|Revoke)/;

const decides = {
  '/changes/pl_northwind_7': 'Stop at a safe point…',
  '/changes/pl_contoso_4': 'Undo as a plan…',
  '/rollouts/ro_spring': 'Stop…, Abort…',
  '/settings?tab=notifications': 'Send a test message, Send 7 given-up messages again, Send again',
};

/** The actions that are offered on each page. Approving waits for the number that the plan needs. */
const roles: readonly (readonly [role: Role, offered: Readonly<Record<string, string>>])[] = [
  ['viewer', {}],
  ['planner', { '/accounts/contoso': 'Check now, Plan', '/changes/pl_contoso_1': 'Rehearse again' }],
  ['approver', { '/changes/pl_contoso_1': 'Rehearse again, Reject…' }],
  [
    'operator',
    {
      ...decides,
      '/accounts/contoso': 'Check now, Pause, Ignore…, Ignore all until…, Stop ignoring',
      '/changes/pl_contoso_1': 'Rehearse again',
    },
  ],
  [
    'admin',
    {
      ...decides,
      '/accounts/contoso': 'Check now, Plan, Pause, Ignore…, Ignore all until…, Stop ignoring',
      '/changes/pl_contoso_1': 'Rehearse again, Reject…',
      '/settings?tab=tokens': 'New token…, Revoke…',
    },
  ],
];

describe.runIf(hasChromium)('the pages of approvals, rollouts, audit and settings in the console', () => {
  const open = givenConsole();

  it('lists the plans that wait for the reader before those that wait for others', async () => {
    const { page, api } = await open('/approvals');
    const table = page.getByRole('table', { name: 'Plans that wait' });
    await table.waitFor();
    const rows = await table.locator('tbody tr').allInnerTexts();
    expect(rows).toEqual([
      expect.stringMatching(/contoso.*5 can't be undone.*over the limit.*1 of 2/s),
      expect.stringContaining('You wrote this change'),
    ]);
    await page.getByLabel('Risk').selectOption({ label: 'Over a limit' });
    await page.getByRole('searchbox', { name: 'Search' }).fill('ada');
    await expect.poll(() => new URL(page.url()).search).toBe('?risk=limit&q=ada');
    await expect
      .poll(() => api.requests.some(({ path, query }) => path === '/plans' && query.get('q') === 'ada'))
      .toBe(true);
    await table.waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/changes/pl_contoso_1');
  });

  it('has the oldest plan that waits on top, however many others wait', async () => {
    const plans = Array.from({ length: 252 }, (_, index) =>
      givenPlanRow({ id: `pl_${index}`, account: `shop-${index}`, created_at: before(index) }),
    );
    const { page } = await open('/approvals', {
      routes: { 'GET /plans': (request) => pageOf(request, plans) },
    });
    const first = page.getByRole('table', { name: 'Plans that wait' }).locator('tbody tr').first();
    await first.waitFor();
    expect(await first.innerText()).toContain('shop-251');
  });

  it('adds a plan to the inbox without a reload', async () => {
    const { page, api } = await open('/approvals', { routes: { 'GET /plans': { body: { items: [] } } } });
    await page.getByText('No plan waits for approval').waitFor();
    expect(
      api.requests.some(({ path, query }) => path === '/plans' && query.get('state') === 'waiting'),
    ).toBe(true);
  });

  it.each([
    ['ro_spring', 'stop', 'Stop…', 'Stop'],
    ['ro_spring', 'abort', 'Abort…', 'Abort'],
  ] as const)('sends %s a reason to %s it', async (id, act, button, verb) => {
    const { page, api } = await open(`/rollouts/${id}`);
    await page.getByRole('button', { name: button }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('Two shops called');
    await dialog.getByRole('button', { name: verb, exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(sentBy(api.requests)).toEqual([
      ['POST', `/rollouts/${id}/${act}`, { reason: 'Two shops called' }],
    ]);
  });

  it('names the accounts of a rollout, those that need a person first', async () => {
    const { page } = await open('/rollouts/ro_spring');
    const table = page.getByRole('table', { name: 'Accounts' });
    await table.waitFor();
    expect(await table.getByRole('rowheader').first().innerText()).toBe('eu-15');
    expect(await table.getByRole('row', { name: /^eu-15/ }).innerText()).toContain(
      'its run ended in the state failed',
    );
    await page.getByLabel('State').selectOption({ label: 'running' });
    await expect
      .poll(() => table.getByRole('rowheader').allInnerTexts())
      .toEqual(['eu-16', 'eu-17', 'eu-18']);
    expect(new URL(page.url()).search).toBe('?state=running');
    await page.getByLabel('State').selectOption({ label: 'Any' });
    await page.getByRole('combobox', { name: 'Wave' }).selectOption({ label: '1 canary' });
    await expect.poll(() => table.getByRole('rowheader').allInnerTexts()).toEqual(['canary-01', 'canary-02']);
    expect(await page.locator('.verdict').innerText()).toMatch(/^Wave 2 of 4,/);
    expect(await page.locator('.wave[aria-current]').innerText()).toContain('eu');
  });

  it('never shows a wave with a failed account as done', async () => {
    const waves = givenRolloutDetail().waves.map((wave, at) =>
      at === 0 ? { ...wave, done: 1, failed: 1 } : { ...wave, state: 'pending' as const },
    );
    const body = givenRolloutDetail({ waves, state: 'stopped', wave: 1 });
    const { page } = await open('/rollouts/ro_spring', { routes: { 'GET /rollouts/{id}': { body } } });
    expect(await page.locator('.wave').first().innerText()).toMatch(/ended\s+1 of 2 done, 1 failed/);
  });

  it('filters the audit log by the address, and shows all of a record', async () => {
    const { page, api } = await open('/audit?account=contoso&kind=approval&from=2026-11-01T08%3A00');
    await page.getByRole('row').nth(1).waitFor();
    const asked = api.requests.find(({ path }) => path === '/audit');
    expect(asked?.query.get('from')).toBe('2026-11-01T07:00:00.000Z');
    await page.getByText('Approved plan').first().click();
    await page.getByText('SHA-256').first().waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('');
  });

  it.each([1280, 390])('shows the start and the end of a period together: %i pixels', async (width) => {
    const { page } = await open('/audit', { viewport: { width, height: 900 } });
    await settled(page);
    if (width === 390) await page.getByText('Filters', { exact: true }).click();
    const [from, to] = await Promise.all(
      ['From', 'To'].map(async (name) => (await page.getByLabel(name, { exact: true }).boundingBox())!),
    );
    expect(width === 390 ? from!.x - to!.x : from!.y - to!.y).toBe(0);
    expect(Math.abs(from!.width - to!.width)).toBeLessThan(1);
  });

  it('verifies the audit log and shows a record that does not fit', async () => {
    const { page, api } = await open('/audit');
    await page.getByRole('button', { name: 'Verify the audit log' }).click();
    await page
      .locator('.banner-text', { hasText: 'The audit log is intact: 5,000 records checked.' })
      .waitFor();
    api.on('GET /audit/verify', {
      body: {
        verdict: 'broken',
        records: 5_000,
        head: null,
        signed_head: null,
        fault_count: 1,
        faults: [
          { kind: 'changed', seq: 4_211, message: 'record 4211 was changed: it does not match its hash' },
        ],
        unnoticed: ['This check does not notice everything.'],
        at: before(0),
      },
    });
    await page.getByRole('button', { name: 'Verify the audit log' }).click();
    await page.getByRole('alert').filter({ hasText: 'record 4211 was changed' }).waitFor();
  });

  it('exports all records that match', async () => {
    const { page } = await open('/audit?kind=approval');
    await page.getByRole('row').nth(1).waitFor();
    const links = ['JSON lines', 'CSV'].map((form) => page.getByRole('link', { name: `Export ${form}` }));
    expect(await Promise.all(links.map((link) => link.getAttribute('href')))).toEqual([
      '/api/v1/audit/export?format=jsonl&kind=approval',
      '/api/v1/audit/export?format=csv&kind=approval',
    ]);
  });

  it('prints the audit records that were read, not only those in view', async () => {
    const { page } = await open('/audit');
    await page.getByRole('row').nth(1).waitFor();
    await page.emulateMedia({ media: 'print' });
    await expect.poll(() => page.getByRole('rowheader').count()).toBeGreaterThanOrEqual(100);
    expect(await page.getByRole('button').filter({ visible: true }).count()).toBe(0);
  });

  it('sends a test message, and sends given-up messages again', async () => {
    const { page, api } = await open('/settings?tab=notifications');
    const target = page.getByRole('listitem').filter({ hasText: 'on-call' });
    await target.getByRole('button', { name: 'Send a test message' }).click();
    await target.getByText('Slack accepted the message.').waitFor();
    await target.getByRole('button', { name: 'Send 7 given-up messages again' }).click();
    await target.getByText('7 messages will be sent again.').waitFor();
    await page.getByText('Slack answered 404').waitFor();
    await page.getByRole('button', { name: 'Send again: message 3' }).click();
    await expect
      .poll(() => sentBy(api.requests).map(([, path]) => path))
      .toEqual([
        '/notifications/on-call/test',
        '/notifications/on-call/redrive',
        '/notifications/deliveries/3/resend',
      ]);
  });

  it('shows a new token once, and revokes a token', async () => {
    const { page, api } = await open('/settings?tab=tokens');
    await page.getByRole('button', { name: 'New token…' }).click();
    const dialog = page.getByRole('dialog', { name: 'New token' });
    await dialog.getByLabel('Name').fill('wall display');
    await dialog.getByLabel('Role').selectOption('operator');
    await dialog.getByLabel('Accounts').fill('region == "eu"');
    await dialog.getByLabel('Days until it expires').fill('30');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Copy the token wall display now.').waitFor();
    expect(await page.locator('.created-token pre').innerText()).toMatch(/^rmp_/);
    expect(sentBy(api.requests)).toEqual([
      [
        'POST',
        '/tokens',
        {
          name: 'wall display',
          grants: [{ role: 'operator', where: 'region == "eu"' }],
          expires_in_days: 30,
        },
      ],
    ]);
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await expect.poll(() => page.content()).not.toContain('rmp_');
    expect(
      await page.evaluate<string>('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])'),
    ).not.toContain('rmp_');
    await page.getByRole('button', { name: 'Revoke nightly report' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(sentBy(api.requests).at(-1)).toEqual(['DELETE', '/tokens/tok_1', undefined]);
  });

  it.each(roles)('offers the role %s on each page exactly what it may do', async (role, offered) => {
    const { page, api, faults } = await open('about:blank', {
      routes: { 'GET /me': { body: givenMe({ grants: [{ role }] }) } },
    });
    const offers = async () => {
      const names = page.locator('main button:not([aria-disabled="true"]), main .page-actions a');
      const texts = await names.allInnerTexts();
      return [...new Set(texts.filter((text) => acts.test(text)))].join(', ');
    };
    for (const [path, ready] of pagesWithActions) {
      await page.goto(api.address + path);
      await page.locator(ready).first().waitFor();
      await expect.poll(offers).toBe(offered[path] ?? '');
    }
    expect(faults).toEqual([]);
  });

  it('shows no tokens and disables tests for a viewer', async () => {
    const routes = { 'GET /me': { body: givenMe({ grants: [{ role: 'viewer' }] }) } };
    const { page, api } = await open('/settings?tab=tokens', { routes });
    await page.getByText('Only administrators see tokens').waitFor();
    expect(api.requests.some(({ path }) => path === '/tokens')).toBe(false);
    await page.getByRole('link', { name: 'Notifications' }).click();
    const test = page.getByRole('button', { name: 'Send a test message' }).first();
    await test.waitFor();
    expect(await test.getAttribute('aria-disabled')).toBe('true');
  });

  it('guides the first visit to a first check, and says so when it arrives', async () => {
    const { page, api } = await open('/welcome', { routes: { 'GET /accounts': { body: { items: [] } } } });
    await page.getByText('Waiting for the first account…').waitFor();
    expect(await page.locator('pre').first().innerText()).toContain('key: { variable: CONTOSO_PSK }');
    const account = givenAccount({ name: 'nord-lager' });
    const unread = {
      ...account,
      health: null,
      hosts: null,
      drifted: null,
      last_check_at: null,
      failure: null,
    };
    api.on('GET /accounts', { body: { items: [unread] } });
    api.emit({ type: 'account.changed', account: 'nord-lager' });
    await page.getByText('The server knows nord-lager.').waitFor();
    api.on('GET /accounts', {
      body: { items: [{ ...account, hosts: 40, drifted: 3, last_check_at: before(0) }] },
    });
    api.emit({ type: 'account.changed', account: 'nord-lager' });
    await page.getByText('The first check of nord-lager is complete: 40 hosts, 3 differ').waitFor();
    expect(await page.getByRole('link', { name: 'Open the overview' }).getAttribute('href')).toBe('/');
  });

  it('says on the first visit why the first check fails', async () => {
    const failure = {
      since: before(1),
      attempts: 2,
      code: 'unauthorized',
      message: 'the service answered 401',
      hint: 'Check the key.',
    };
    const account = givenAccount({
      name: 'nord',
      hosts: null,
      last_check_at: null,
      failure,
      health: 'failing',
    });
    const { page } = await open('/welcome', { routes: { 'GET /accounts': { body: { items: [account] } } } });
    await page.getByText('The first check of nord failed: the service answered 401 Check the key.').waitFor();
  });
});
