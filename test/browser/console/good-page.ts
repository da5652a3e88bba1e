import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { axeFindings } from '../../given/axe.ts';
import { expectImages } from './images.ts';
import { overflow } from './open-console.ts';

/**
 * Expects that a page looks as in its reviewed images, if it has some, that axe finds nothing in either theme, that nothing
 * moves for a reader with reduced motion, that the focus and the parts of bars can be seen in forced colors, that nothing
 * cuts off the outline of the focus, and that the page is no wider than the window from 4K to 320 pixels, which is its
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
  expect(await cutFocus(page)).toEqual([]);
  // A window of 1,280 pixels that is zoomed to 200 % has 640.
  for (const width of [3840, 1100, 640, 320]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0);
  }
  expect(await cutCards(page)).toEqual([]);
  expect(await cutFocus(page)).toEqual([]);
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

/** What has an outline of the focus that a part around it cuts off. A part that scrolls shows the rest when it is scrolled. */
function cutFocus(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(`(() => {
    const isCut = (each, part) => {
      const { outlineWidth, outlineOffset } = getComputedStyle(each);
      const reach = parseFloat(outlineWidth) + parseFloat(outlineOffset) - 0.5;
      const [own, around] = [each.getBoundingClientRect(), part.getBoundingClientRect()];
      const { overflowX, overflowY } = getComputedStyle(part);
      if (overflowX === 'visible' && overflowY === 'visible') return false;
      const isWide = overflowX !== 'hidden' && part.scrollWidth > part.clientWidth;
      const isHigh = overflowY !== 'hidden' && part.scrollHeight > part.clientHeight;
      const { left, right, top, bottom } = around;
      return (
        (!isWide && (own.left - reach < left || own.right + reach > right)) ||
        (!isHigh && (own.top - reach < top || own.bottom + reach > bottom))
      );
    };
    const cut = [...document.querySelectorAll('a[href], button, input, select, textarea, summary')].filter((each) => {
      if (each.checkVisibility() !== true) return false;
      each.focus({ focusVisible: true });
      if (document.activeElement !== each) return false;
      for (let part = each.parentElement; part !== document.body; part = part.parentElement)
        if (isCut(each, part)) return true;
      return false;
    });
    document.activeElement.blur();
    scrollTo(0, 0);
    return cut.map((each) => each.outerHTML.slice(0, 120));
  })()`);
}

/** The rows of tables, which are cards on a phone, that have text beyond their edge, and cells with text below their label. */
function cutCards(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(`(() => {
    const isBelowLabel = (cell) => {
      if (getComputedStyle(cell, '::before').float === 'none') return false;
      const text = document.createRange();
      text.selectNodeContents(cell);
      const { left } = cell.getBoundingClientRect();
      return [...text.getClientRects()].some((each) => each.width > 1 && each.left < left + 50);
    };
    const frames = [...document.querySelectorAll('.table-frame')];
    const cells = [...document.querySelectorAll('.table:not(.keep) tbody :is(td, th):not(.plain)')];
    return [
      ...frames.filter((each) => each.scrollWidth > each.clientWidth),
      ...cells.filter(isBelowLabel),
    ].map((each) => each.innerText.slice(0, 200));
  })()`);
}
