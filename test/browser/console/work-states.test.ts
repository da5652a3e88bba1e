import { describe, expect, it } from 'vitest';
import { printable } from '../../../src/core/lib/printable.ts';
import { axeFindings } from '../../given/axe.ts';
import { hasChromium } from '../../given/chromium.ts';
import { givenPlanDetail, givenReviewHost } from '../../given/console/plans.ts';
import { pageOf } from '../../given/console/routes.ts';
import { givenEndedRun, givenRolloutDetail } from '../../given/console/runs.ts';
import { givenSettings, givenToken } from '../../given/console/settings.ts';
import { hostileNames } from '../../given/hostile-names.ts';
import { expectGoodPage } from './good-page.ts';
import { givenConsole, overflow, settled } from './open-console.ts';

const pages = [
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
  '/changes/pl_contoso_1': 'plan',
  '/changes/pl_contoso_4': 'run',
  '/approvals': 'approvals',
  '/rollouts': 'rollouts',
  '/audit': 'audit',
};

describe.runIf(hasChromium)('the pages of work in the console', () => {
  const open = givenConsole();

  it.each(pages)(
    '%s looks as reviewed, passes axe in both themes, and fits 320 pixels and 4K',
    async (_page, path, ready) => {
      const { page, faults } = await open(path, { colorScheme: 'light' });
      await page.locator(ready).first().waitFor();
      await expectGoodPage(page, images[path]);
      // Rows of tables are cards now, on all pages in the same way.
      if (path === '/approvals') expect(await axeFindings(page, 'structure')).toEqual([]);
      expect(faults).toEqual([]);
    },
  );

  it.each([
    ['Reject…', '/changes/pl_contoso_1'],
    ['Stop at a safe point…', '/changes/pl_northwind_7'],
    ['Undo as a plan…', '/changes/pl_contoso_4'],
    ['Abort…', '/rollouts/ro_spring'],
    ['New token…', '/settings?tab=tokens'],
    ['Revoke nightly report', '/settings?tab=tokens'],
  ] as const)('the dialog of "%s" on %s keeps the focus, passes axe, and returns it', async (name, path) => {
    const { page } = await open(path);
    const button = page.getByRole('button', { name });
    await button.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    expect(await axeFindings(page)).toEqual([]);
    for (let presses = 0; presses < 8; presses += 1) await page.keyboard.press('Tab');
    expect(
      await page.evaluate(
        "document.activeElement.closest('dialog') !== null || document.activeElement === document.body",
      ),
    ).toBe(true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect
      .poll(() => button.evaluate((element) => element === element.ownerDocument.activeElement))
      .toBe(true);
  });

  it('shows hostile names as text on every page', async () => {
    const hosts = hostileNames.map((name, index) =>
      givenReviewHost(index, { name, new_name: name, group: name, reason: name, action: ['delete'] }),
    );
    const name = hostileNames.join(' ');
    const plan = givenPlanDetail({
      verdict: name,
      account: name,
      author: name,
      source: name,
      reason: name,
      pull_request: hostileNames[12] ?? '',
      irreversible_hosts: [...hosts],
      causes: hostileNames.map((title) => ({ title, hosts: 1 })),
      groups: hostileNames.map((each) => ({ name: each, before: 1, after: 2, arrive: 1, leave: 0 })),
      problems: hostileNames.map((message) => ({
        severity: 'error' as const,
        code: 'policy-error',
        message,
      })),
      comments: hostileNames.map((text, at) => ({
        by: { kind: 'person' as const, id: String(at), name: text },
        at: '2026-11-23T07:00:00.000Z',
        text,
      })),
    });
    const routes = {
      'GET /plans/{id}': { body: plan },
      'GET /plans/{id}/hosts': (request: Parameters<typeof pageOf>[0]) => pageOf(request, hosts),
      'GET /runs/{id}': {
        body: givenEndedRun({
          account: name,
          reason: name,
          problems: [{ code: 'x', message: name, hint: name }],
        }),
      },
      'GET /rollouts/{id}': { body: givenRolloutDetail({ name, reason: name }) },
      'GET /settings': { body: givenSettings({ file: name }) },
      'GET /tokens': (request: Parameters<typeof pageOf>[0]) => pageOf(request, [givenToken({ name })]),
    };
    for (const path of [
      '/changes/p',
      '/changes/p?irreversible=true',
      '/changes/pl_contoso_4',
      '/rollouts/r',
      '/settings?tab=tokens',
    ]) {
      const { page, faults } = await open(path, { routes });
      await settled(page);
      expect(await page.locator('main :is(img, script, iframe, object, embed)').count()).toBe(0);
      expect(await overflow(page), path).toBeLessThanOrEqual(0);
      expect(faults).toEqual([]);
    }
    const { page } = await open('/changes/p', { routes });
    await page.locator('#irreversible summary').click();
    const shown = await page.locator('#irreversible tbody th bdi').allTextContents();
    expect(shown).toContain(printable('<script>alert(1)</script>'));
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
});
