import type { PlanRows } from '../review/rows.ts';
import { callsSection } from './calls-section.ts';
import { chainsSection } from './chains-section.ts';
import { changesSection } from './changes-section.ts';
import { checkSection } from './check-section.ts';
import { comparisonSection } from './comparison-section.ts';
import { groupsSection } from './groups-section.ts';
import { irreversibleSection } from './irreversible-section.ts';
import { type PageOrigin, pageHead } from './page-head.ts';
import { pageHtml } from './page-html.ts';
import { pageScript } from './page-script.ts';
import { pendingSection } from './pending-section.ts';
import { problemsSection } from './problems-section.ts';
import { tilesHtml } from './tiles.ts';
import { timesSection } from './times-section.ts';

/** The plan as one self-contained HTML file. The same plan and origin give the same bytes. */
export function paintHtml(rows: PlanRows, origin: PageOrigin = {}): string {
  const sections = [
    ...irreversibleSection(rows),
    ...checkSection(rows),
    ...comparisonSection(rows),
    ...pendingSection(rows),
    ...problemsSection(rows),
    ...changesSection(rows),
    ...chainsSection(rows),
    ...groupsSection(rows),
    ...callsSection(rows),
    ...timesSection(rows),
  ];
  return pageHtml({
    title: 'Rampart plan',
    skip: 'Skip to the plan',
    head: pageHead(rows, origin),
    summary: tilesHtml(rows),
    sections,
    script: pageScript,
  });
}
