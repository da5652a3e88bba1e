import { render } from 'preact-render-to-string';
import { setNotation } from '../../components/numbers.ts';
import { showOnlyPrintableText } from '../../components/safe-text.ts';
import type { PlansRows } from '../../review/plans-rows.ts';
import type { PlanPage } from '../plan-page-data.ts';
import { PlanPageBody } from './plan-page.tsx';
import { PlansPageBody } from './plans-page.tsx';

// The same plan gives the same bytes, wherever the program runs.
setNotation('en');
showOnlyPrintableText();

/** The body of the report of a plan. */
export function renderPlan(page: PlanPage): string {
  return render(<PlanPageBody page={page} />);
}

/** The body of the report of the plans of many accounts. */
export function renderPlans(rows: PlansRows): string {
  return render(<PlansPageBody rows={rows} />);
}
