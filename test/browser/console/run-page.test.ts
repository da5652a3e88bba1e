import { describe, expect, it } from 'vitest';
import { hasChromium } from '../../given/chromium.ts';
import { problemOf } from '../../given/console/fake-api.ts';
import { givenMe } from '../../given/console/overview.ts';
import { givenApproval, givenPlanDetail } from '../../given/console/plans.ts';
import { givenEndedRun, givenRunDetail, givenRunEvents } from '../../given/console/runs.ts';
import { eventsRoute } from '../../given/console/work-routes.ts';
import { givenConsole } from './open-console.ts';

describe.runIf(hasChromium)('the page of a change with a run', () => {
  const open = givenConsole();

  it('shows progress by kind, the pace and its limit, the time left, and what steps wait for', async () => {
    const { page, faults } = await open('/changes/pl_northwind_7');
    await page.getByRole('heading', { name: 'Progress' }).waitFor();
    const text = await page.locator('main').innerText();
    for (const part of [
      '148 of 212 steps',
      '120 of 160 hosts, 2 failed, 1 in doubt',
      '3,000 of 4,312 hosts, 12 failed',
      '14 to 38 s',
      '4.6 calls/s',
      'of about 5 calls/s that the service allows',
      'The rate limit of the service sets the pace: at most 5 calls/s now.',
      'Waiting 23 steps',
    ])
      expect(text).toContain(part);
    expect(await page.getByRole('table', { name: 'Waiting' }).getByRole('row').allInnerTexts()).toEqual([
      expect.stringMatching(/^Step\s+Waits for$/),
      expect.stringMatching(/^12 renames\s+their turn: the service allows about 5 calls\/s$/),
      expect.stringMatching(/^rename NW-WEB-7 .*\s+the name NW-WEB-8, which step s149 frees$/),
      expect.stringMatching(/^10 anti-virus installs\s+the 32 steps before them$/),
    ]);
    expect(await page.getByRole('img', { name: /^Steps: / }).getAttribute('aria-label')).toBe(
      'Steps: 148 done, 2 failed, 1 in doubt, 3 skipped',
    );
    expect(await page.getByRole('img', { name: /^Calls per second so far/ }).count()).toBe(1);
    expect(faults).toEqual([]);
  });

  it.each(['', '?step=plan'])('keeps the focus where it was when its plan gets a run: %o', async (step) => {
    const plan = givenPlanDetail({ state: 'approved', approvals: [givenApproval()] });
    const { page, api, faults } = await open(`/changes/${plan.id}${step}`, {
      routes: {
        'GET /plans/{id}': { body: plan },
        'GET /runs/{id}': { body: givenRunDetail({ id: 'run_7', plan: plan.id }) },
      },
    });
    const link = page.getByRole('link', { name: 'the plan before' });
    await link.focus();
    await expect.poll(() => api.readers()).toBe(1);
    api.on('GET /plans/{id}', { body: { ...plan, run: 'run_7', state: 'running' } });
    api.emit({ type: 'plan.changed', resource: plan.id, account: plan.account });
    await page.getByRole('navigation', { name: 'Steps of the change' }).getByText('(now)').waitFor();
    expect(await link.evaluate((each) => each === each.ownerDocument.activeElement)).toBe(true);
    await page.getByRole('link', { name: /^Run \(now\)/ }).click();
    await page.getByRole('heading', { name: /^Progress/ }).waitFor();
    expect(faults).toEqual([]);
  });

  it('is linked from a run, and expands each step in place', async () => {
    const { page } = await open('/runs/run_contoso_4');
    await page.waitForURL('**/changes/pl_contoso_4');
    const steps = page.getByRole('navigation', { name: 'Steps of the change' });
    await steps.waitFor();
    expect(
      (await steps.getByRole('link').allInnerTexts()).map((text) =>
        text.replace(/\s+/g, ' ').replace(/^\W+/, ''),
      ),
    ).toEqual([
      'Files (done) commit 906c382f',
      'Plan (done) 24 changes',
      'Decisions (done) 2 of 2 approvals, 2 comments',
      'Run (needs attention) 199 of 212 steps',
      'Proof (needs attention) in doubt',
    ]);
    await steps.getByRole('link', { name: 'Plan' }).click();
    await page.getByRole('heading', { name: "Can't be undone" }).waitFor();
    expect(new URL(page.url()).search).toBe('?step=plan');
    expect(await page.getByRole('log', { name: 'Events' }).count()).toBe(0);
    await steps.getByRole('link', { name: 'Proof' }).click();
    await page.getByText('No read since then confirms all its changes.').waitFor();
    await page.getByText('181 of 199 host changes can be undone.').waitFor();
  });

  it('says that no approval was needed, and why, if the server began the run by itself', async () => {
    const reason = 'the changes are within the limits of the account';
    const { page } = await open('/changes/pl_contoso_4', {
      routes: {
        'GET /plans/{id}': {
          body: givenPlanDetail({ id: 'pl_contoso_4', state: 'done', run: 'run_contoso_4' }),
        },
        'GET /runs/{id}': { body: givenEndedRun({ reason }) },
      },
    });
    const steps = page.getByRole('navigation', { name: 'Steps of the change' });
    await steps.getByText('no approval needed').waitFor();
    const panel = await page.getByRole('complementary', { name: 'Decision' }).innerText();
    expect(panel).toContain(`No approval was needed: ${reason}.`);
    expect(panel).not.toMatch(/0 of 2|Nobody has decided/);
  });

  it('shows what was left out above what was done', async () => {
    const { page } = await open('/changes/pl_contoso_4', {
      routes: {
        'GET /runs/{id}': {
          body: givenEndedRun({
            state: 'done',
            steps: { total: 212, done: 210, failed: 0, in_doubt: 0, in_progress: 0, skipped: 2 },
            problems: [{ code: 'stale-plan', message: 'host BER-07 was renamed to BER-09' }],
          }),
        },
      },
    });
    await page.getByText('2 steps of 212 dropped out: their hosts changed after the plan.').waitFor();
    const headings = await page.locator('.change-main h2').allInnerTexts();
    expect(headings.slice(0, 2)).toEqual(['Dropped out 2 steps', expect.stringMatching(/^Result/)]);
    expect(await page.getByRole('link', { name: 'Proof' }).innerText()).toContain('verified, 2 dropped out');
  });

  it('follows events as they happen until the reader stops it', async () => {
    const { page, api } = await open('/changes/pl_northwind_7');
    const log = page.getByRole('log', { name: 'Events' });
    await log.getByText('NW-WEB-1200').waitFor();
    api.on('GET /runs/{id}/events', eventsRoute(givenRunEvents(1_900)));
    api.emit({ type: 'run.event', account: 'northwind', resource: 'run_northwind_7' });
    await log.getByText('NW-WEB-1900').waitFor();
    await page.getByLabel('Follow').uncheck();
    await expect.poll(() => new URL(page.url()).searchParams.get('follow')).toBe('off');
    const top = await log.evaluate((box) => box.scrollTop);
    api.on('GET /runs/{id}/events', eventsRoute(givenRunEvents(1_950)));
    api.emit({ type: 'run.event', account: 'northwind', resource: 'run_northwind_7' });
    await expect.poll(() => page.getByRole('heading', { name: 'Events' }).innerText()).toContain('1,250');
    expect(await log.evaluate((box) => box.scrollTop)).toBe(top);
  });

  it('reads each event once, and earlier ones on request', async () => {
    const { page, api } = await open('/changes/pl_northwind_7');
    const heading = page.getByRole('heading', { name: 'Events' });
    await expect.poll(() => heading.innerText()).toContain('the last 500');
    await page.getByRole('button', { name: 'Show earlier events' }).click();
    await expect.poll(() => heading.innerText()).toContain('the last 1,000');
    await page.getByRole('button', { name: 'Show earlier events' }).click();
    await expect.poll(() => heading.innerText()).toMatch(/Events 1,200$/);
    const asked = api.requests
      .filter(({ path }) => path.endsWith('/events'))
      .map(({ query }) => query.get('before'));
    expect(asked).toEqual([null, '701', '201']);
  });

  it('filters events by text and by problems, in the address', async () => {
    const { page } = await open('/changes/pl_northwind_7?events=another+host');
    const log = page.getByRole('log', { name: 'Events' });
    await log.waitFor();
    expect(await log.innerText()).not.toContain('done');
    await page.getByLabel('Search events').fill('');
    await page.getByLabel('Only problems').check();
    await expect.poll(() => log.innerText()).not.toContain('done');
    expect(new URL(page.url()).search).toBe('?problems=only');
  });

  it('copies the events that are shown', async () => {
    const { page, context } = await open('/changes/pl_northwind_7?problems=only');
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('log', { name: 'Events' }).waitFor();
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('events copied.').waitFor({ state: 'attached' });
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied.split('\n')[0]).toMatch(/^725\t2026-11-23T\S+\tfailed\trename NW-WEB-725 → /);
    expect(
      copied
        .trimEnd()
        .split('\n')
        .every((line) => /\t(failed|unknown|error)\t/.test(line)),
    ).toBe(true);
  });

  it('stops at a safe point with a reason', async () => {
    const { page, api } = await open('/changes/pl_northwind_7');
    await page.getByRole('button', { name: 'Stop at a safe point…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Stop this run' });
    await dialog.getByLabel('Reason').fill('The shop calls');
    await dialog.getByRole('button', { name: 'Stop the run' }).click();
    await dialog.waitFor({ state: 'detached' });
    const sent = api.requests.find(({ method }) => method === 'POST');
    expect([sent?.path, sent?.body]).toEqual(['/runs/run_northwind_7/stop', { reason: 'The shop calls' }]);
  });

  it('offers stopping and undoing only to people whose role allows it', async () => {
    for (const [id, name, refusal] of [
      ['pl_northwind_7', 'Stop at a safe point…', 'Your roles do not allow stopping runs.'],
      ['pl_contoso_4', 'Undo as a plan…', 'Your roles do not allow undoing runs.'],
    ] as const) {
      const { page } = await open(`/changes/${id}`, {
        routes: { 'GET /me': { body: givenMe({ grants: [{ role: 'approver' }] }) } },
      });
      const button = page.getByRole('button', { name });
      await button.waitFor();
      expect(await button.getAttribute('aria-disabled')).toBe('true');
      expect(await page.getByText(refusal).isVisible()).toBe(true);
    }
  });

  it('names only installs as in doubt if nothing else is', async () => {
    const { page } = await open('/changes/pl_contoso_4', {
      routes: {
        'GET /runs/{id}': {
          body: givenEndedRun({
            installs_in_doubt: 3,
            steps: { total: 1_212, done: 1_212, failed: 0, in_doubt: 0, in_progress: 0, skipped: 0 },
          }),
        },
      },
    });
    await page.getByText('3 anti-virus installs in doubt. The next check finds out what happened.').waitFor();
    expect(await page.locator('.outcomes').innerText()).toMatch(/installs in doubt\s+3/);
  });

  it('reports afterwards what is done, failed, in doubt and left, and offers to undo it as a plan', async () => {
    const { page } = await open('/changes/pl_contoso_4');
    await page.getByText('2 steps failed, 1 step in doubt and 10 skipped.').waitFor();
    expect(await page.locator('.outcomes').innerText()).toMatch(/done\s+199\s+failed\s+2\s+in doubt\s+1/);
    expect(await page.getByRole('link', { name: 'Records of this run' }).getAttribute('href')).toBe(
      '/audit?q=4211',
    );
    await page.getByRole('button', { name: 'Undo as a plan…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Undo this run' });
    await dialog.getByLabel('Reason').fill('The shop wants its old names');
    await dialog.getByRole('button', { name: 'Make the plan' }).click();
    await page.waitForURL('**/changes/pl_contoso_1');
  });

  it("does not offer to undo what can't be undone", async () => {
    const ended = givenEndedRun();
    const withKinds = (...kinds: readonly string[]) => ({
      'GET /runs/{id}': {
        body: givenEndedRun({ by_kind: ended.by_kind.filter(({ kind }) => kinds.includes(kind)) }),
      },
    });
    for (const [kinds, isOffered] of [
      [['delete', 'install'], false],
      [['delete', 'move'], true],
      // An older server recorded no kinds.
      [[], true],
    ] as const) {
      const { page } = await open('/changes/pl_contoso_4', { routes: withKinds(...kinds) });
      const button = page.getByRole('button', { name: 'Undo as a plan…' });
      await button.waitFor();
      expect(await button.getAttribute('aria-disabled'), kinds.join()).toBe(isOffered ? null : 'true');
      expect(await page.getByText("Deletions and installs can't be undone.").count()).toBe(isOffered ? 0 : 1);
    }
  });

  it('changes from running to done while it is open', async () => {
    const { page, api } = await open('/changes/pl_northwind_7');
    await page.getByRole('heading', { name: 'Progress' }).waitFor();
    const steps = { total: 212, done: 212, failed: 0, in_doubt: 0, in_progress: 0, skipped: 0 };
    api.on('GET /runs/{id}', {
      body: givenEndedRun({ id: 'run_northwind_7', state: 'done', steps, problems: [] }),
    });
    api.emit({ type: 'run.changed', account: 'northwind', resource: 'run_northwind_7' });
    await page.getByText('All steps are done').waitFor();
    expect(await page.getByRole('button', { name: 'Undo as a plan…' }).isVisible()).toBe(true);
  });

  it('keeps what it showed while the connection is cut, and catches up afterwards', async () => {
    const { page, api } = await open('/changes/pl_northwind_7', { expected: /ERR_|Failed to load/ });
    const log = page.getByRole('log', { name: 'Events' });
    await log.getByText('NW-WEB-1200').waitFor();
    await api.cut();
    await page.getByText('The connection to the server is lost').waitFor();
    expect(await log.getByText('NW-WEB-1200').isVisible()).toBe(true);
    const stop = page.getByRole('button', { name: 'Stop at a safe point…' });
    await page.getByText('No connection to the server.').waitFor();
    expect(await stop.getAttribute('aria-disabled')).toBe('true');
    api.on('GET /runs/{id}/events', eventsRoute(givenRunEvents(1_300)));
    await api.restore();
    await log.getByText('NW-WEB-1300').waitFor();
    await expect.poll(() => page.getByText('The connection to the server is lost').count()).toBe(0);
    expect(await stop.getAttribute('aria-disabled')).toBe(null);
  });

  it('can still be stopped if only its events do not arrive', async () => {
    const { page } = await open('/changes/pl_northwind_7', {
      routes: { 'GET /events': () => problemOf(502) },
      expected: /ERR_|Failed to load|502/,
    });
    await page.getByText('The connection to the server is lost').waitFor();
    await page.getByRole('button', { name: 'Stop at a safe point…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('Two shops called');
    const confirm = dialog.getByRole('button', { name: 'Stop the run' });
    expect(await confirm.getAttribute('aria-disabled')).toBe(null);
  });

  it("says what failed when the run can't be read, and tries again", async () => {
    const { page, api } = await open('/changes/pl_northwind_7', {
      routes: { 'GET /runs/{id}': () => problemOf(503, { title: 'The database is down', code: 'state' }) },
      expected: /503/,
    });
    await page.getByRole('alert').filter({ hasText: 'Reading the run failed' }).waitFor();
    api.on('GET /runs/{id}', { body: givenRunDetail() });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Progress' }).waitFor();
  });
});
