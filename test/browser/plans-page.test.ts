import { describe, expect, it } from 'vitest';
import { reportAccount } from '../../src/accounts/plans/report-account.ts';
import { problem } from '../../src/core/problem/problem.ts';
import { paintPlansHtml } from '../../src/output/page/plans-html.ts';
import { toPlansRows } from '../../src/output/review/plans-rows.ts';
import { headOf, reportOf, reviewOf } from '../given/account-plans.ts';
import { axeFindings } from '../given/axe.ts';
import { hasChromium } from '../given/chromium.ts';
import { givenPlan } from '../given/plan.ts';
import { richPlan } from '../given/report-plans.ts';
import { givenBrowser } from './chromium.ts';

function page(): string {
  const same = givenPlan({ hosts: [{ id: 1, name: 'A' }], entries: [{ id: 1, name: 'A' }] });
  const labels = { region: 'eu', tier: 'gold' };
  const refused = problem('not-authenticated', 'the service refused the key', { hint: 'check the key' });
  const reports = [
    reportOf('berlin', richPlan()),
    reportAccount({ account: headOf('lisbon', labels), exitCode: 0, plan: richPlan(), problems: [] }),
    reportOf('munich', same),
    reportOf('a-name-that-is-as-long-as-the-name-of-an-account-can-be-0123456789', same),
    reportAccount({ account: headOf('porto', labels), exitCode: 4, problems: [refused] }),
  ];
  return paintPlansHtml(toPlansRows(reviewOf(reports)));
}

describe.runIf(hasChromium)('the page of many plans in Chromium', () => {
  const open = givenBrowser();

  it.each(['light', 'dark'] as const)('axe finds no violation in the %s theme', async (colorScheme) => {
    for (const width of [1280, 390]) {
      const { page: shown, faults } = await open(page(), { colorScheme, viewport: { width, height: 900 } });
      await shown.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))");
      expect(await axeFindings(shown, colorScheme === 'dark' ? 'contrast' : 'all')).toEqual([]);
      expect(faults).toEqual([]);
    }
  });

  it('never scrolls sideways as a whole', async () => {
    for (const width of [320, 768, 1280]) {
      const { page: shown } = await open(page(), { viewport: { width, height: 900 } });
      await shown.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))");
      const overflow = await shown.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect(overflow, String(width)).toBeLessThanOrEqual(0);
    }
  });
});
