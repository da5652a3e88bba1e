import type { PlanRows } from '../review/rows.ts';
import { pageScript, renderPlan } from './generated/report.ts';
import { toPageData } from './page-data.ts';
import { pageHtml } from './page-html.ts';
import { type PageOrigin, toPlanPage } from './plan-page-data.ts';

/** The plan as one self-contained HTML file. The same plan and origin give the same bytes. */
export function paintHtml(rows: PlanRows, origin: PageOrigin = {}): string {
  const page = toPlanPage(rows, origin);
  return pageHtml({
    title: 'Rampart plan',
    body: renderPlan(page),
    ...(page.review.hosts.length > 0 && { data: toPageData(page.review), script: pageScript }),
  });
}
