import { describe, expect, it } from 'vitest';
import { hasChromium } from '../chromium.ts';
import { axeFindings, givenConsole, overflow } from './open-console.ts';

describe.runIf(hasChromium)('the shell of the console', () => {
  const open = givenConsole();

  it('opens the overview without a fault, and axe finds nothing', async () => {
    const { page, faults } = await open('/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    expect(faults).toEqual([]);
  });
});
