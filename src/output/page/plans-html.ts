import type { PlansRows } from '../review/plans-rows.ts';
import { renderPlans } from './generated/report.ts';
import { pageHtml } from './page-html.ts';

/**
 * The plans of many accounts as one self-contained HTML file. Its size is bounded by the number of accounts, whatever
 * the size of their plans. It has no script.
 */
export function paintPlansHtml(rows: PlansRows): string {
  return pageHtml({ title: 'Rampart plans', body: renderPlans(rows) });
}
