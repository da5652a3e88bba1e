import { describe, expect, it } from 'vitest';
import { hasChromium } from '../../given/chromium.ts';
import { problemOf } from '../../given/console/fake-api.ts';
import { givenMe } from '../../given/console/overview.ts';
import {
  after,
  before,
  givenApproval,
  givenPlanDetail,
  givenPlanRow,
  givenRehearsal,
  givenReviewHost,
} from '../../given/console/plans.ts';
import { pageOf } from '../../given/console/routes.ts';
import { givenPlanFiles, planHostsRoute } from '../../given/console/work-routes.ts';
import { givenConsole } from './open-console.ts';

describe.runIf(hasChromium)('the page of a change before its run', () => {
  const open = givenConsole();

  it("lists every change that can't be undone before everything else", async () => {
    const { page, faults } = await open('/changes/pl_contoso_1');
    const headings = page.locator('.change-main h2');
    await headings.nth(5).waitFor();
    expect((await headings.allInnerTexts()).map((text) => text.replace(/\s+\d.*$/, ''))).toEqual([
      "Can't be undone",
      'Problems and policies',
      'Groups before and after',
      'Causes',
      'Order of renames',
      'Calls and time',
      'Rehearsal',
      'All other hosts',
    ]);
    const rows = page.getByRole('table', { name: "Changes that can't be undone" }).getByRole('row');
    expect(await rows.count()).toBe(6);
    const others = page.getByRole('table', { name: 'Hosts' }).getByRole('rowheader');
    await others.first().waitFor();
    expect(await others.first().innerText()).toContain('BER-KSK-005');
    expect(await rows.nth(1).innerText()).toMatch(
      /BER-KSK-000\s+812340000\s+Delete\s+Berlin kiosks\s+online/,
    );
    expect(faults).toEqual([]);
  });

  it.each([
    ['a deletion', ['delete'], 1],
    ['a rename', ['rename'], 0],
    ['a move', ['move'], 0],
  ] as const)('warns of a host that is online only if it is deleted: %s', async (_, action, warnings) => {
    const hosts = [givenReviewHost(0, { action: [...action], online: 'online' })];
    const { page } = await open('/changes/pl_contoso_1', {
      routes: { 'GET /plans/{id}/hosts': (request) => pageOf(request, hosts) },
    });
    const row = page.locator('#hosts [data-row]').first();
    await expect.poll(() => row.innerText()).toMatch(/\bonline\b/);
    expect(await row.locator('.tag.amber').count()).toBe(warnings);
  });

  it.each([
    ['the edited lines', {}, /Edited lines\s+\+3 −2/],
    ['no edit', { patch: { text: '', added: 0, removed: 0, incomplete: [] } }, /Nobody edited the files/],
    ['why there are none', { patch: null, why: 'The source is a folder.' }, /No lines[^]*is a folder/],
    [
      'a file that is too large',
      { patch: { text: '', added: 9_000, removed: 0, incomplete: ['all.csv'] } },
      /\+9,000[^]*1 file too large or not text: all\.csv/,
    ],
  ])('shows what was edited in the files: %s', async (_, changed, words) => {
    const { page, faults } = await open('/changes/pl_contoso_1?step=file', {
      routes: { 'GET /plans/{id}/files': { body: { ...givenPlanFiles, ...changed } } },
    });
    await expect.poll(() => page.locator('.change-main').innerText()).toMatch(words);
    const link = page.getByRole('link', { name: 'the change applied before' });
    expect(await link.getAttribute('href')).toBe('/changes/pl_contoso_0');
    expect(faults).toEqual([]);
  });

  it("counts the hosts, problems and chains that do not fit, and links to all that can't be undone", async () => {
    const more = { irreversible_hosts: 4_730, unusual_hosts: 0, problems: 1, chains: 400 };
    const { page, faults } = await open('/changes/p', {
      routes: { 'GET /plans/{id}': { body: givenPlanDetail({ more, irreversible: 4_735 }) } },
    });
    const section = page.locator('section.irreversible');
    await section.getByText('the first 5 are above').waitFor();
    expect(await section.locator('h2').innerText()).toMatch(/4,735 hosts/);
    expect(await page.locator('main').innerText()).toMatch(
      /and 1 more problem[^]*Order of renames\s+402[^]*and 400 more: the list of hosts has all of them/,
    );
    await section.getByRole('link', { name: 'All 4,735 hosts' }).click();
    await expect.poll(() => page.getByRole('combobox', { name: 'Change' }).inputValue()).toBe('irreversible');
    await expect.poll(() => page.locator('#hosts [data-row]').count()).toBe(5);
    await page.getByRole('combobox', { name: 'Change' }).selectOption('Rename');
    await expect.poll(() => new URL(page.url()).search).toBe('?step=plan&action=rename');
    expect(faults).toEqual([]);
  });

  it('formats the numbers of its verdict, and names the version of a desired state without commits', async () => {
    const { page } = await open('/changes/p', {
      routes: {
        'GET /plans/{id}': {
          body: givenPlanDetail({
            verdict: "5000 renames. 12 hosts have changes that can't be undone.",
            source: 'lab',
            commit: `sha256:${'1be04a7c'.repeat(8)}`,
          }),
        },
      },
    });
    await page.getByText("5,000 renames. 12 hosts have changes that can't be undone.").waitFor();
    expect(await page.locator('.decision .facts').innerText()).toMatch(/Version\s+1be04a7c of lab/);
  });

  it('says that its run waits for the end of a pause', async () => {
    const { page } = await open('/changes/p', {
      routes: { 'GET /plans/{id}': { body: givenPlanDetail({ is_paused: true }) } },
    });
    const step = page
      .getByRole('navigation', { name: 'Steps of the change' })
      .getByRole('link', { name: /^Run/ });
    await expect.poll(() => step.innerText()).toContain('waiting for the end of a pause');
  });

  it('rehearses a plan, and shows its progress, result and failure', async () => {
    const queued = givenRehearsal({ state: 'queued', ended_at: null, converged: null, runs: [] });
    const failure = { code: 'stale-plan', message: 'the plan no longer fits the fleet', hint: 'plan again' };
    const failedOne = givenRehearsal({ state: 'failed', converged: null, runs: [], failure });
    const states = [null, queued, givenRehearsal(), failedOne];
    let now = 0;
    const { page, api, faults } = await open('/changes/p', {
      routes: {
        'GET /plans/{id}': () => ({ status: 200, body: givenPlanDetail({ rehearsal: states[now] ?? null }) }),
        'POST /plans/{id}/rehearsal': () => ({ status: 202, body: states[(now += 1)] }),
      },
    });
    const part = page.locator('section', { has: page.getByRole('heading', { name: 'Rehearsal' }) });
    await part.getByRole('button', { name: 'Rehearse' }).click();
    await part.getByText('waits for a worker').waitFor();
    expect(api.requests.filter(({ method }) => method === 'POST').map(({ path }) => path)).toEqual([
      '/plans/pl_contoso_1/rehearsal',
    ]);
    const again = part.getByRole('button', { name: 'Rehearse again' });
    expect(await again.getAttribute('aria-disabled')).toBe('true');
    now = 2;
    await page.reload();
    await part.getByText('reached the planned state').waitFor();
    const rows = part.getByRole('row');
    expect(await rows.nth(2).innerText()).toMatch(
      /with faults\s+19 of 19 done\s+23\s+3: 1 host already had the name and 1 host got the name from an earlier call\s+1\s+81 s/,
    );
    await again.click();
    await part.getByText('the plan no longer fits the fleet').waitFor();
    expect(faults).toEqual([]);
  });

  it('approves only after the exact number was typed, and sends the checksum with it', async () => {
    const { page, api } = await open('/changes/pl_contoso_1');
    const approve = page.getByRole('button', { name: 'Approve' });
    const number = page.getByLabel('Number of deletions');
    await approve.waitFor();
    expect(await approve.getAttribute('aria-disabled')).toBe('true');
    await approve.click({ force: true });
    await page.getByText('Type the number of deletions.').waitFor();
    await number.fill('4');
    await page.getByText('The plan has 3, not 4.').waitFor();
    await number.press('Enter');
    expect(api.requests.filter(({ method }) => method === 'POST')).toEqual([]);
    await number.fill('3');
    await page.getByLabel('Comment (optional)').fill('Seen with the shop.');
    await approve.click();
    await expect.poll(() => api.requests.some(({ method }) => method === 'POST')).toBe(true);
    const [sent] = api.requests.filter(({ method }) => method === 'POST');
    expect(sent?.path).toBe('/plans/pl_contoso_1/approve');
    expect(sent?.body).toEqual({
      checksum: givenPlanRow().checksum,
      numbers: { delete: 3 },
      comment: 'Seen with the shop.',
    });
    expect(sent?.headers['x-rampart-csrf']).toBe('a-csrf-value');
    expect(sent?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("explains next to the button why the reader can't approve", async () => {
    for (const [plan, reason] of [
      [
        givenPlanDetail({ may_approve: { allowed: false, reason: 'You wrote this change' } }),
        'You wrote this change.',
      ],
      [
        givenPlanDetail({
          may_approve: { allowed: false, reason: 'The window "nights" is closed until 22:00' },
        }),
        'The window "nights" is closed until 22:00.',
      ],
    ] as const) {
      const { page } = await open('/changes/p', { routes: { 'GET /plans/{id}': { body: plan } } });
      const approve = page.getByRole('button', { name: 'Approve' });
      await approve.waitFor();
      expect(await approve.getAttribute('aria-disabled')).toBe('true');
      expect(await page.locator('.decision .reason').first().innerText()).toBe(reason);
      expect(await page.getByLabel('Number of deletions').count()).toBe(0);
    }
  });

  it.each([
    ['a phone', { width: 390, height: 844 }],
    ['a small phone', { width: 320, height: 568 }],
    ['a window at 200 %', { width: 640, height: 400 }],
  ])('reaches the decision from the first screen of %s', async (_, viewport) => {
    const { page, faults } = await open('/changes/pl_contoso_1', { viewport });
    const link = page.getByRole('link', { name: 'Approve or reject' });
    await page.getByRole('heading', { name: 'All other hosts' }).waitFor();
    const { y, height } = (await link.boundingBox())!;
    expect(y + height).toBeLessThan(viewport.height);
    const covered = await page.evaluate<readonly string[]>(
      `[...document.querySelectorAll('.change-main :is(a, button, input, select, summary)')].filter((each) => {
        if (!each.checkVisibility()) return false;
        each.focus();
        const bar = document.querySelector('.to-decision').getBoundingClientRect();
        return each.getBoundingClientRect().bottom > bar.top;
      }).map((each) => each.outerHTML.slice(0, 120))`,
    );
    expect(covered).toEqual([]);
    await link.click();
    await expect
      .poll(async () => (await page.locator('#decision h2').boundingBox())!.y)
      .toBeLessThan(viewport.height / 2);
    expect(new URL(page.url()).hash).toBe('#decision');
    expect(await page.evaluate('document.activeElement.id')).toBe('decision');
    expect(faults).toEqual([]);
  });

  it('offers no decision to a viewer', async () => {
    const { page } = await open('/changes/p', {
      routes: {
        'GET /me': { body: givenMe({ grants: [{ role: 'viewer' }] }) },
        'GET /plans/{id}': {
          body: givenPlanDetail({
            may_approve: { allowed: false, reason: 'Approving needs the role approver' },
          }),
        },
      },
    });
    const buttons = page.locator('.decision').getByRole('button');
    await buttons.first().waitFor();
    expect(await buttons.allInnerTexts()).toEqual(['Approve']);
    expect(await buttons.first().getAttribute('aria-disabled')).toBe('true');
    expect(await page.locator('.decision .reason').innerText()).toBe('Approving needs the role approver.');
    expect(await page.getByLabel('Add a comment').count()).toBe(0);
  });

  it('rejects with a reason, which is required', async () => {
    const { page, api } = await open('/changes/pl_contoso_1');
    await page.getByRole('button', { name: 'Reject…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Reject this plan' });
    const reject = dialog.getByRole('button', { name: 'Reject' });
    await reject.click({ force: true });
    await dialog.getByText('Enter a reason.').waitFor();
    await dialog.getByLabel('Reason').fill('The kiosks are still in use.');
    await reject.click();
    await dialog.waitFor({ state: 'detached' });
    expect(api.requests.find(({ path }) => path.endsWith('/reject'))?.body).toEqual({
      checksum: givenPlanRow().checksum,
      reason: 'The kiosks are still in use.',
    });
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Reject…');
  });

  it('says that a plan is stale, and offers a new one', async () => {
    const stale = givenPlanDetail({ state: 'stale', reason: 'the fleet changed after the plan was made' });
    const { page, api } = await open('/changes/p', { routes: { 'GET /plans/{id}': { body: stale } } });
    await page.getByRole('status').filter({ hasText: 'This plan is stale' }).waitFor();
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Make a new plan' }).click();
    await page.getByText('A new plan was requested. A link').waitFor();
    expect(api.requests.find(({ method }) => method === 'POST')?.body).toEqual({ names: ['contoso'] });
    api.on('GET /plans/{id}', { body: { ...stale, replaced_by: 'pl_contoso_2' } });
    api.emit({ type: 'plan.changed', account: 'contoso', resource: 'p' });
    const link = page.getByRole('link', { name: 'Review the new plan' });
    await link.waitFor();
    expect(await link.getAttribute('href')).toBe('/changes/pl_contoso_2');
  });

  it('closes the decision if the plan expires while it is open', async () => {
    const { page } = await open('/changes/p', {
      routes: { 'GET /plans/{id}': { body: givenPlanDetail({ expires_at: before(1) }) } },
    });
    await page.getByRole('status').filter({ hasText: 'This plan has expired.' }).waitFor();
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  });

  it('shows an approval of another person at once, and keeps what the reader typed', async () => {
    const plan = givenPlanDetail();
    const { page, api } = await open('/changes/p', { routes: { 'GET /plans/{id}': { body: plan } } });
    await page.getByLabel('Comment (optional)').fill('Half a sentence');
    api.on('GET /plans/{id}', { body: { ...plan, approvals: [givenApproval()] } });
    api.emit({ type: 'plan.changed', account: 'contoso', resource: plan.id });
    await page.getByText('approved by Grace Hopper').waitFor();
    expect(await page.locator('.approvals h2').innerText()).toBe('Approvals 1 of 2');
    expect(await page.getByLabel('Comment (optional)').inputValue()).toBe('Half a sentence');
  });

  it('keeps what was typed when the session expires and after a reload', async () => {
    const { page, api } = await open('/changes/pl_contoso_1', { expected: /401/ });
    await page.getByLabel('Number of deletions').fill('3');
    await page.getByLabel('Comment (optional)').fill('Typed before the session ended');
    api.on('POST /plans/{id}/approve', () =>
      problemOf(401, { title: 'Not signed in', code: 'unauthenticated' }),
    );
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Your session has expired.').waitFor();
    expect(await page.getByLabel('Comment (optional)').inputValue()).toBe('Typed before the session ended');
    await page.reload();
    await page.getByLabel('Number of deletions').waitFor();
    expect(await page.getByLabel('Number of deletions').inputValue()).toBe('3');
    expect(await page.getByLabel('Comment (optional)').inputValue()).toBe('Typed before the session ended');
  });

  it('shows what the server refused, and lets the reader try again', async () => {
    const { page, api } = await open('/changes/pl_contoso_1', { expected: /409/ });
    api.on('POST /plans/{id}/approve', () =>
      problemOf(409, {
        title: 'The plan changed',
        detail: 'Someone rejected it a moment ago',
        code: 'plan-closed',
        hint: 'Reload the plan.',
      }),
    );
    await page.getByLabel('Number of deletions').fill('3');
    await page.getByRole('button', { name: 'Approve' }).click();
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toMatch(
      /Approving failed\s+Someone rejected it a moment ago\s+Reload the plan./,
    );
    expect(await page.getByLabel('Number of deletions').inputValue()).toBe('3');
  });

  it('keeps the search over all hosts of a plan in its address', async () => {
    const { page } = await open('/changes/pl_contoso_1?q=ksk-01&action=rename', {
      routes: { 'GET /plans/{id}/hosts': planHostsRoute(40_000) },
    });
    const table = page.getByRole('table', { name: 'Hosts' });
    await table.getByRole('rowheader').first().waitFor();
    expect(await page.getByLabel('Search', { exact: true }).inputValue()).toBe('ksk-01');
    expect(await table.getByRole('rowheader').first().innerText()).toContain('BER-KSK-010');
    await page.getByLabel('Search', { exact: true }).fill('nobody');
    await page.getByText('No host of this plan matches').waitFor();
    expect(new URL(page.url()).search).toBe('?action=rename&q=nobody');
  });

  it('keeps only the rows in view of a plan with 40,000 hosts', async () => {
    const { page } = await open('/changes/pl_contoso_1', {
      routes: { 'GET /plans/{id}/hosts': planHostsRoute(40_000) },
    });
    await page.getByRole('rowheader').first().waitFor();
    expect(await page.getByRole('rowheader').count()).toBeLessThan(60);
  });

  it('draws chains and cycles with the steps of the report, and describes them in words', async () => {
    const { page } = await open('/changes/pl_contoso_1');
    const cards = page.locator('.cards .card');
    await cards.nth(1).waitFor();
    expect(await cards.nth(0).locator('li').allInnerTexts()).toEqual([
      'LIS-WEB-1\nbecomes free',
      'LIS-WEB-2\nstep 3: host 812340100',
      'LIS-WEB-3\nstep 2: host 812340101',
      'LIS-WEB-4\nstep 1: host 812340102',
    ]);
    expect(await cards.nth(1).locator('h3').innerText()).toBe('Cycle 1 3 hosts');
    expect(await cards.nth(1).locator('svg .rail.loop').count()).toBe(1);
    expect(await cards.nth(1).locator('svg .rail.temporary').count()).toBe(1);
  });

  it('opens a pull request only at a web address', async () => {
    const { page } = await open('/changes/p', {
      routes: { 'GET /plans/{id}': { body: givenPlanDetail({ pull_request: 'javascript:alert(1)' }) } },
    });
    await page.getByText('javascript:alert(1)').waitFor();
    expect(await page.locator('a[href^="javascript"]').count()).toBe(0);
  });

  it("prints without buttons, with all that can't be undone", async () => {
    const { page } = await open('/changes/pl_contoso_1');
    await page.getByRole('table', { name: "Changes that can't be undone" }).waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('button').filter({ visible: true }).count()).toBe(0);
    expect(await page.getByText('BER-KSK-004').first().isVisible()).toBe(true);
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
    expect(pdf.match(/\/Type\s*\/Page\b/g)?.length).toBeLessThan(8);
  });

  it('shows how long the plan is valid', async () => {
    const { page } = await open('/changes/p', {
      routes: { 'GET /plans/{id}': { body: givenPlanDetail({ expires_at: after(30) }) } },
    });
    const time = page.locator('.decision time').last();
    await time.waitFor();
    expect(await page.locator('.decision .facts').innerText()).toContain('in 30 min');
  });
});
