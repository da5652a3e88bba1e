import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { printable } from '../../src/core/lib/printable.ts';
import type { Plan } from '../../src/core/plan/types/plan.ts';
import { problem } from '../../src/core/problem/problem.ts';
import { axeFindings } from '../given/axe.ts';
import { hasChromium } from '../given/chromium.ts';
import { hostileNames } from '../given/hostile-names.ts';
import { givenPlan } from '../given/plan.ts';
import { cyclicPlan, emptyPlan, largePlan, refusedPlan, richPlan } from '../given/report-plans.ts';
import { givenBrowser } from './chromium.ts';

describe.runIf(hasChromium)('the HTML report in Chromium', () => {
  const open = givenBrowser();

  it('searches names, ids, groups, files and positions in a chain', async () => {
    const { page, faults } = await open(richPlan());
    const search = page.getByRole('searchbox', { name: 'Search' });
    const count = page.getByRole('status');
    expect(await count.innerText()).toBe('17 hosts');
    for (const [query, shown] of [
      ['ber-web', '2 of 17 hosts'],
      ['9007199254740991', '1 of 17 hosts'],
      ['lisbon', '4 of 17 hosts'],
      ['fleet.yaml:9', '1 of 17 hosts'],
      ['cycle 1', '5 of 17 hosts'],
      ['kiosk step', '0 of 17 hosts'],
      ['ring-3', '2 of 17 hosts'],
    ] as const) {
      await search.fill(query);
      await expect.poll(() => count.innerText(), { message: query }).toBe(shown);
    }
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(() => count.innerText()).toBe('17 hosts');
    expect(faults).toEqual([]);
  });

  it('filters by change, group and remark, and by all of them at once', async () => {
    const { page } = await open(richPlan());
    const shown = () => page.getByRole('status').innerText();
    const choose = (label: string, option: string) =>
      page.getByRole('combobox', { name: label }).selectOption({ label: option });
    await choose('Change', 'Delete (2)');
    await expect.poll(shown).toBe('2 of 17 hosts');
    await choose('Change', "Can't be undone (3)");
    await expect.poll(shown).toBe('3 of 17 hosts');
    await choose('Group', 'Munich build farm');
    await expect.poll(() => hostNames(page)).toEqual(['OLD-PRINT-SERVER']);
    await choose('Remark', 'With a problem (1)');
    await expect.poll(() => hostNames(page)).toEqual(['OLD-PRINT-SERVER']);
    await choose('Change', 'Move (5)');
    await expect.poll(shown).toBe('0 of 17 hosts');
  });

  it('sorts in both directions, and announces it', async () => {
    const { page } = await open(sortable());
    const button = page.getByRole('button', { name: 'Host', exact: true });
    const state = () =>
      page.locator('#hosts').getByRole('columnheader', { name: 'Host' }).getAttribute('aria-sort');
    expect(await state()).toBe('none');
    await button.click();
    await expect.poll(() => hostNames(page)).toEqual(['PC-2', 'PC-10', 'PC-30']);
    expect(await state()).toBe('ascending');
    await button.click();
    await expect.poll(() => hostNames(page)).toEqual(['PC-30', 'PC-10', 'PC-2']);
    expect(await state()).toBe('descending');
    await page.getByRole('button', { name: 'Reason', exact: true }).click();
    await expect.poll(state).toBe('none');
  });

  it('is usable with the keyboard alone', async () => {
    const { page } = await open(richPlan());
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Skip to the plan');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe("Can't be undone");
    await page.getByRole('searchbox').focus();
    await page.keyboard.type('ring-3');
    await page.getByRole('button', { name: 'Host', exact: true }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => hostNames(page)).toEqual(['RING-2', 'RING-3']);
    await page.getByRole('radio', { name: 'Auto' }).focus();
    await page.keyboard.press('ArrowLeft');
    expect(await page.getByRole('radio', { name: 'Dark' }).isChecked()).toBe(true);
    const outline = await page
      .getByRole('button', { name: 'Host', exact: true })
      .evaluate((button: HTMLElementLike) => {
        button.focus({ focusVisible: true });
        return styleOf(button).outlineStyle;
        function styleOf(element: HTMLElementLike) {
          return element.ownerDocument.defaultView.getComputedStyle(element);
        }
      });
    expect(outline).toBe('solid');
  });

  it('leads from a change to its problem', async () => {
    const { page } = await open(richPlan());
    await page.getByRole('link', { name: 'policy-warning' }).first().click();
    await expect.poll(() => page.evaluate('location.hash')).toMatch(/^#problem-\d+$/);
    expect(await page.locator('.problem:target').innerText()).toContain('is online while it is deleted');
  });

  it("follows the reader's choice of light or dark", async () => {
    const { page } = await open(richPlan(), { colorScheme: 'dark' });
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(await ground()).toBe('rgb(21, 23, 27)');
    await page.getByText('Light', { exact: true }).click();
    expect(await ground()).toBe('rgb(250, 250, 248)');
    await page.getByText('Auto', { exact: true }).click();
    expect(await ground()).toBe('rgb(21, 23, 27)');
  });

  it('shows hostile names as text, without running scripts or adding elements', async () => {
    const { page, faults } = await open(named(hostileNames));
    const calm = await open(named(hostileNames.map((_, index) => `calm ${index}`)));
    // Remarks about odd names make more elements, but none of another kind.
    const kinds = async (of: Page) => new Set((await elements(of)) as readonly string[]);
    expect(await kinds(page)).toEqual(await kinds(calm.page));
    const shown = hostileNames.map(printable);
    for (const place of ['#hosts tbody th .name', '#irreversible tbody th .name', '#groups tbody th .name']) {
      const texts = await page
        .locator(place)
        .evaluateAll((all) =>
          all.map(
            (each) => each.title.replace(/ \(starts or ends with white space\)$/, '') || each.textContent,
          ),
        );
      expect(texts, place).toEqual(expect.arrayContaining(shown));
    }
    expect(faults).toEqual([]);
  });

  it('keeps its layout with names of 10,000 characters, and shows them in full in titles', async () => {
    for (const long of ['L'.repeat(10_000), `Z${'\u0301'.repeat(10_000)}`]) {
      const { page, faults } = await open(named([long]));
      expect(await sideways(page)).toBe(0);
      const name = page.locator('#hosts tbody th .name').first();
      expect((await name.innerText()).length).toBeLessThan(300);
      expect(await name.getAttribute('title')).toBe(long);
      expect(faults).toEqual([]);
    }
  });

  it.each(['light', 'dark'] as const)('axe finds nothing wrong in the %s theme', async (colorScheme) => {
    const kind = colorScheme === 'dark' ? 'contrast' : 'all';
    const wide = await open(richPlan(), { colorScheme });
    expect(await axeFindings(wide.page, kind)).toEqual([]);
    const narrow = { colorScheme, viewport: { width: 390, height: 800 } };
    for (const plan of [refusedPlan(), named(['L'.repeat(200)])]) {
      const { page } = await open(plan, narrow);
      expect(await axeFindings(page, kind)).toEqual([]);
    }
  });

  it('prints with all sections expanded and every row, and then restores the page', async () => {
    const { page } = await open(largePlan(300, 10));
    const rows = page.locator('#hosts tbody tr');
    const folded = page.locator('details.fold:not([open]) > :not(summary)');
    const seen = () => folded.evaluateAll((all) => all.map((each) => each.checkVisibility()));
    const count = await folded.count();
    expect(count).toBeGreaterThan(0);
    expect(await seen()).toEqual(Array(count).fill(false));
    await page.emulateMedia({ media: 'print' });
    await rows.nth(299).waitFor();
    expect(await seen()).toEqual(Array(count).fill(true));
    expect(await page.getByRole('searchbox').isVisible()).toBe(false);
    await page.emulateMedia({ media: 'screen' });
    await rows.nth(100).waitFor({ state: 'detached' });
    expect(await rows.count()).toBe(100);
    expect(await seen()).toEqual(Array(count).fill(false));
  });

  it('prints each of 300 hosts with a new name and a new group in one row, on fewer than 14 pages of A4', async () => {
    const ids = Array.from({ length: 300 }, (_, index) => 1001 + index);
    const plan = givenPlan({
      hosts: ids.map((id) => ({ id, name: `DESKTOP-LISBON-${id}`, group: 17 })),
      entries: ids.map((id) => ({ id, name: `KIOSK-LISBON-${id}`, group: { id: 18 } })),
      groups: { 17: 'Desktops of Lisbon', 18: 'Kiosks of Lisbon' },
    });
    const { page } = await open(plan);
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
    const pages = pdf.match(/\/Type\s*\/Page\b/g)?.length;
    expect(pages).toBeGreaterThan(3);
    expect(pages).toBeLessThan(14);
    await page.emulateMedia({ media: 'print' });
    const rows = page.locator('#hosts tbody tr');
    await expect.poll(() => rows.count()).toBe(300);
    expect(await rows.first().innerText()).toMatch(
      /Rename and move\s+→\s+to\s+KIOSK-LISBON-1001\s+Desktops of Lisbon\s+→\s+to\s+Kiosks of Lisbon/,
    );
    const heights = await rows.evaluateAll((all) => all.map((each) => each.clientHeight));
    expect(Math.max(...heights)).toBeLessThan(1.5 * Math.min(...heights));
  });

  it('cuts nothing off at the edge of the paper', async () => {
    for (const plan of [richPlan(), named(['L'.repeat(200), 'W'.repeat(60)])]) {
      const { page } = await open(plan, { viewport: { width: 700, height: 1000 } });
      await page.emulateMedia({ media: 'print' });
      expect(await sideways(page)).toBe(0);
      const parts = page.locator('.table-frame, .fold, .card, pre').filter({ visible: true });
      const cut = await parts.evaluateAll((all) =>
        all
          .filter((each) => each.scrollWidth > each.clientWidth + 1)
          .map((each) => each.outerHTML.slice(0, 200)),
      );
      expect(cut).toEqual([]);
    }
  });

  it('fits a phone and a tablet without sideways scrolling', async () => {
    for (const plan of [richPlan(), refusedPlan(), cyclicPlan()]) {
      const { page } = await open(plan);
      for (const width of [320, 390, 768]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await sideways(page), `${width} pixels`).toBe(0);
      }
    }
  });

  it("shows the sums, what can't be undone and the problems without JavaScript", async () => {
    const { page, faults } = await open(richPlan(), { javaScriptEnabled: false });
    const text = await page.locator('body').innerText();
    expect(text).toMatch(/Can't be undone\s+3 hosts/);
    expect(text).toContain('OLD-PRINT-SERVER');
    expect(text).toContain('is online while it is deleted');
    expect(text).toMatch(/needs JavaScript[^]*LT-03\s*105: Rename and move → LT-04 → Lisbon/);
    expect(await page.getByRole('searchbox').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('pages through 2,000 hosts and filters them', async () => {
    const { page, faults } = await open(largePlan(2_000));
    const count = page.getByRole('status');
    expect(await count.innerText()).toBe('2,000 hosts');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('Page 2 of 20').waitFor();
    await page.getByRole('searchbox').fill('host-1');
    await expect.poll(() => count.innerText()).toBe('1,111 of 2,000 hosts');
    await page.getByText('Page 1 of 12').waitFor();
    expect(faults).toEqual([]);
  });

  it('shows no filter if nothing changes', async () => {
    const { page, faults } = await open(emptyPlan());
    expect(await page.getByRole('searchbox').count()).toBe(0);
    expect(await page.locator('.banner.green').innerText()).toContain('No changes');
    expect(faults).toEqual([]);
  });
});

/** The browser types that this test uses, which Node's types do not include. */
interface HTMLElementLike {
  focus(options: { readonly focusVisible: boolean }): void;
  readonly ownerDocument: {
    readonly defaultView: { getComputedStyle(of: unknown): { readonly outlineStyle: string } };
  };
}

function hostNames(page: Page): Promise<readonly string[]> {
  return page.locator('#hosts tbody th .name').allInnerTexts();
}

function focused(page: Page): Promise<unknown> {
  return page.evaluate('document.activeElement.textContent');
}

/** By how many pixels the page is wider than the window. */
function sideways(page: Page): Promise<unknown> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/** The elements of the page, except for the parts of a name that is too long. */
function elements(page: Page): Promise<unknown> {
  return page.evaluate(
    "Array.from(document.querySelectorAll(':not(.name-head, .name-tail)'), (each) => each.tagName)",
  );
}

function sortable(): Plan {
  const hosts = [
    { id: 80, name: 'PC-30' },
    { id: '9007199254740993', name: 'PC-2' },
    { id: 7, name: 'PC-10' },
  ];
  return givenPlan({ entries: hosts.map(({ id, name }) => ({ id, name: `${name}-NEW` })), hosts });
}

/** The names wherever a plan has room for one. */
function named(names: readonly string[]): Plan {
  const ids = names.map((_, index) => index + 1);
  const plan = givenPlan({
    entries: ids.flatMap((id) => [
      { id, ensure: 'absent' as const },
      { id: id + 1000, name: `NEW-${id}`, group: { id: id + 100 } },
      { id: id + 2000, name: `B-${id}` },
      { id: id + 3000, name: `A-${id}` },
    ]),
    hosts: ids.flatMap((id) => [
      { id, name: `DOOMED-${id}` },
      { id: id + 1000, name: `OLD-${id}` },
      { id: id + 2000, name: `A-${id}` },
      { id: id + 3000, name: `B-${id}` },
    ]),
    groups: Object.fromEntries(ids.map((id) => [id + 100, `Group ${id}`])),
  });
  const nameOf = (id: string) => names[(Number(id) % 100) - 1] as string;
  const steps = plan.steps.map((step) => {
    if (step.kind === 'rename' || step.kind === 'temporary-rename') {
      const name = nameOf(step.hostId);
      return {
        ...step,
        from: name,
        expects: { ...step.expects, name },
        reason: { ...step.reason, file: name, rule: name },
      };
    }
    const hosts = step.hosts.map((each) => {
      const name = nameOf(each.hostId);
      return { ...each, name, expects: { ...each.expects, name }, reason: { ...each.reason, file: name } };
    });
    return step.kind === 'move' ? { ...step, groupName: nameOf(step.groupId), hosts } : { ...step, hosts };
  });
  const problems = names.map((name, index) =>
    problem('name-conflict', `no ${name} here`, {
      place: { file: name, line: 3, col: 1, text: `  ${name}` },
      hint: name,
      hostIds: [String(index + 1)],
      policy: name,
    }),
  );
  const all = names.join(' ');
  const account = { companyId: all, service: all };
  const groups = plan.groups.map((group) => ({ ...group, name: nameOf(group.id) ?? group.name }));
  const observed = { ...plan.observed, takenAt: all };
  return { ...plan, steps, groups, problems, account, files: names, observed };
}
