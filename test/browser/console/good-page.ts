import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { axeFindings } from '../../given/axe.ts';
import { expectImages } from './images.ts';
import { overflow } from './open-console.ts';

/**
 * Expects that a page looks as in its reviewed images, if it has some, that axe finds nothing in either theme, that nothing
 * moves for a reader with reduced motion, that the focus and the parts of bars can be seen in forced colors,
 * and that the page is no wider than the window from 4K to 320 pixels, which is its
 * width afterwards.
 */
export async function expectGoodPage(page: Page, image: string | undefined): Promise<void> {
  if (image !== undefined) await expectImages(page, image);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await axeFindings(page)).toEqual([]);
  expect(await moving(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await axeFindings(page, 'contrast')).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' });
  expect(await unseen(page)).toEqual([]);
  await page.emulateMedia({ forcedColors: null });
  // A window of 1,280 pixels that is zoomed to 200 % has 640.
  for (const width of [3840, 1100, 640, 320]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0);
  }
  expect(await cutCards(page)).toEqual([]);
}

/** Elements that move, or would move when they change, although the reader prefers reduced motion. */
function moving(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(
    "[...document.querySelectorAll('*')].filter((each) => each.getAnimations().some(({ playState }) => playState === 'running') || getComputedStyle(each).transitionDuration.split(', ').some((time) => time !== '0s')).map((each) => each.outerHTML.slice(0, 100))",
  );
}

/** What has no visible focus, and the parts of bars that have the color of the page. */
async function unseen(page: Page): Promise<readonly string[]> {
  // After a key, the browser shows the focus wherever it goes.
  await page.keyboard.press('Tab');
  return page.evaluate<readonly string[]>(
    `[
      ...[...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')].filter((each) => {
        if (each.checkVisibility() !== true) return false;
        each.focus();
        const { outlineStyle, outlineWidth } = getComputedStyle(each);
        return document.activeElement === each && (outlineStyle === 'none' || parseFloat(outlineWidth) < 1);
      }),
      ...[...document.querySelectorAll('.segment')].filter(
        (each) => getComputedStyle(each).backgroundColor === getComputedStyle(document.body).backgroundColor,
      ),
    ].map((each) => each.outerHTML.slice(0, 120))`,
  );
}

/** The rows of tables, which are cards on a phone, that have text beyond their edge. */
function cutCards(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(
    "[...document.querySelectorAll('.table-frame')].filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.innerText.slice(0, 200))",
  );
}
