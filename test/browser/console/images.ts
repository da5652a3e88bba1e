import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const folder = join(import.meta.dirname, 'images');

const shapes = [
  { name: 'wide-light', width: 1280, height: 800, colorScheme: 'light' },
  { name: 'wide-dark', width: 1280, height: 800, colorScheme: 'dark' },
  { name: 'narrow-dark', width: 390, height: 844, colorScheme: 'dark' },
] as const;

/** The reviewed images are this much smaller than the window, so that details of fonts do not count. */
const scale = 0.3;
/** The maximum average difference of all color values from those of the image, of 255. */
const mostMean = 3;
/** The share of pixels that may differ visibly. */
const mostShare = 0.02;

interface Difference {
  readonly mean: number;
  readonly share: number;
}

interface Compared {
  /** The page as it is, small, as PNG in base64. */
  readonly small: string;
  /** Null without an image to compare with, or if its size differs. */
  readonly difference: Difference | null;
}

/**
 * Compares the page with its reviewed images: light and dark, wide and narrow. `vitest -u` updates those that differ.
 * The comparison has a tolerance, and is skipped if the system has other fonts than the images.
 */
export async function expectImages(page: Page, name: string): Promise<void> {
  const isRenewed = expect.getState().snapshotState.snapshotUpdateState === 'all';
  const fonts = await page.evaluate<number>(widthOfText);
  const fontsFile = join(folder, 'fonts.json');
  const reviewed = existsSync(fontsFile)
    ? (JSON.parse(readFileSync(fontsFile, 'utf8')) as { readonly width: number }).width
    : null;
  if (!isRenewed && reviewed !== null && Math.abs(fonts - reviewed) > 1) return;
  mkdirSync(folder, { recursive: true });
  if (isRenewed) writeFileSync(fontsFile, `{ "width": ${fonts} }\n`);
  for (const { name: shape, width, height, colorScheme } of shapes) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    const shot = (await page.screenshot({ animations: 'disabled' })).toString('base64');
    const file = join(folder, `${name}-${shape}.png`);
    const golden = existsSync(file) ? readFileSync(file).toString('base64') : null;
    const { small, difference } = await page.evaluate<Compared>(
      `(${compare})(${JSON.stringify({ shot, golden, scale })})`,
    );
    const isSame = difference !== null && difference.mean <= mostMean && difference.share <= mostShare;
    if (isRenewed && !isSame) writeFileSync(file, Buffer.from(small, 'base64'));
    else expect({ name, shape, difference, isSame }).toMatchObject({ isSame: true });
  }
}

const widthOfText = `(() => {
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  return ['system-ui', 'ui-monospace, monospace'].reduce((sum, family) => {
    context.font = '100px ' + family;
    return sum + Math.round(context.measureText('Rampart 0123 reconciles WWW iii').width);
  }, 0);
})()`;

/** Runs in the page, which can read images without a library. */
const compare = `async ({ shot, golden, scale }) => {
  const bitmapOf = (text, options) =>
    createImageBitmap(new Blob([Uint8Array.from(atob(text), (each) => each.charCodeAt(0))]), options);
  const pixelsOf = (bitmap) => {
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext('2d');
    context.drawImage(bitmap, 0, 0);
    return { canvas, data: context.getImageData(0, 0, bitmap.width, bitmap.height).data };
  };
  const whole = await bitmapOf(shot);
  const size = { resizeWidth: Math.round(whole.width * scale), resizeHeight: Math.round(whole.height * scale) };
  const made = pixelsOf(await bitmapOf(shot, { ...size, resizeQuality: 'high' }));
  const bytes = new Uint8Array(await (await made.canvas.convertToBlob({ type: 'image/png' })).arrayBuffer());
  const small = btoa(Array.from(bytes, (each) => String.fromCharCode(each)).join(''));
  const kept = golden === null ? null : pixelsOf(await bitmapOf(golden));
  if (kept === null || kept.data.length !== made.data.length) return { small, difference: null };
  let sum = 0;
  let differing = 0;
  for (let at = 0; at < made.data.length; at += 4) {
    let most = 0;
    for (let channel = 0; channel < 3; channel += 1) {
      const apart = Math.abs(made.data[at + channel] - kept.data[at + channel]);
      sum += apart;
      most = Math.max(most, apart);
    }
    if (most > 48) differing += 1;
  }
  const pixels = made.data.length / 4;
  return { small, difference: { mean: sum / pixels / 3, share: differing / pixels } };
}`;
