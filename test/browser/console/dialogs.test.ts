import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { axeFindings } from '../../given/axe.ts';
import { hasChromium } from '../../given/chromium.ts';
import { givenConsole, settled } from './open-console.ts';

/** A space first: on a button, it would press it. */
const typed = ' because of the move in Berlin';

/** The pages with a button that opens a dialog, and its first field; null if it has none. */
const dialogs: readonly (readonly [path: string, button: string, field: string | null])[] = [
  ['/accounts/contoso', 'Pause', 'Reason'],
  ['/accounts/contoso', 'Ignore all until…', 'Reason'],
  ['/changes/pl_contoso_1', 'Reject…', 'Reason'],
  ['/changes/pl_northwind_7', 'Stop at a safe point…', 'Reason'],
  ['/changes/pl_contoso_4', 'Undo as a plan…', 'Reason'],
  ['/rollouts/ro_spring', 'Stop…', 'Reason'],
  ['/rollouts/ro_spring', 'Abort…', 'Reason'],
  ['/settings?tab=tokens', 'New token…', 'Name'],
  ['/settings?tab=tokens', 'Revoke…', null],
];

async function openByKey(page: Page, button: string) {
  const opener = page.locator('main button', { hasText: button }).first();
  await opener.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  return dialog;
}

const focused = (page: Page) =>
  page.evaluate<string>(
    'document.activeElement?.labels?.[0]?.textContent ?? document.activeElement?.tagName',
  );

/** Is the focus in the dialog? */
const hasFocus =
  "document.activeElement.closest('dialog') !== null || document.activeElement === document.body";

describe.runIf(hasChromium)('a dialog', () => {
  const open = givenConsole();

  it.each(dialogs)(
    'on %s that "%s" opens accepts typing at once, keeps the focus and the text, and passes axe',
    async (path, button, field) => {
      const { page, faults } = await open(path);
      await settled(page);
      const dialog = await openByKey(page, button);
      await page.keyboard.type(typed);
      expect(await dialog.isVisible()).toBe(true);
      if (field === null) expect(await focused(page)).toBe('DIALOG');
      else {
        expect(await focused(page)).toMatch(new RegExp(`^${field}`));
        expect(await page.evaluate<string>('document.activeElement.value')).toBe(typed);
      }
      // A drag that begins in the text and ends outside the dialog, and a click outside it.
      const box = await dialog.boundingBox();
      if (field !== null && box !== null) {
        await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
        await page.mouse.down();
        await page.mouse.move(5, 5);
        await page.mouse.up();
        await page.mouse.click(5, 5);
        expect(await dialog.isVisible()).toBe(true);
      }
      expect(await axeFindings(page)).toEqual([]);
      for (let presses = 0; presses < 8; presses += 1) {
        await page.keyboard.press('Tab');
        expect(await page.evaluate(hasFocus)).toBe(true);
      }
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      expect(await page.evaluate<string>('document.activeElement.innerText')).toBe(button);
      // Typed text is restored for someone who closed it by mistake.
      if (field !== null) {
        await openByKey(page, button);
        expect(await page.evaluate<string>('document.activeElement.value')).toBe(typed);
      }
      expect(faults).toEqual([]);
    },
  );

  it('does not offer the reason of one difference for all of them', async () => {
    const { page } = await open('/accounts/contoso');
    await settled(page);
    const valueOf = () => page.evaluate<string>('document.activeElement.value');
    const dialog = await openByKey(page, 'Ignore…');
    await page.keyboard.type(typed);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await openByKey(page, 'Ignore all until…');
    expect(await valueOf()).toBe('');
  });

  it('without a form closes on a click outside it', async () => {
    const { page } = await open('/accounts/contoso');
    await settled(page);
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await page.mouse.click(5, 5);
    await dialog.waitFor({ state: 'detached' });
  });
});
