import { writeActions } from '../../core/model/write-action.ts';
import { isEmpty } from '../../core/plan/types/plan.ts';
import { outlook } from '../review/plan-foot.ts';
import type { PlanRows } from '../review/rows.ts';
import { html } from './markup.ts';
import type { Section } from './section.ts';
import { counted, figure } from './words.ts';

const titles = {
  rename: 'Rename a host',
  move: 'Move hosts to a group',
  antivirus: 'Install anti-virus',
  refresh: 'Refresh the anti-virus status',
  delete: 'Delete hosts',
} as const satisfies Record<(typeof writeActions)[number], string>;

/** The number of calls that change the fleet, and their expected duration. */
export function callsSection({ plan }: PlanRows): readonly Section[] {
  if (isEmpty(plan)) return [];
  const { planned, minimum, byAction } = plan.calls;
  const rows = writeActions
    .filter((action) => byAction[action] > 0)
    .map(
      (action) => html`<tr><th scope="row">${titles[action]}</th><td>${figure(byAction[action])}</td></tr>\n`,
    );
  const verdict =
    planned === minimum ? 'This is the minimum possible.' : `The minimum possible is ${figure(minimum)}.`;
  const lines = [
    ...(plan.deleteFirst ? ['Deletions run first.'] : []),
    ...(plan.fast ? ['Long chains of renames are split to save time, at the cost of more calls.'] : []),
    ...outlook(plan),
  ].map((line) => html`<p>${line}</p>\n`);
  const content = html`<table class="sums">
<caption class="unseen">Calls by kind</caption>
<thead><tr><th scope="col">Kind</th><th scope="col">Calls</th></tr></thead>
<tbody>
${rows}</tbody>
<tfoot><tr><th scope="row">All</th><td>${figure(planned)}</td></tr></tfoot>
</table>
${lines}`;
  return [
    {
      id: 'calls',
      title: 'Calls',
      lead: html`${counted(planned, 'call')} that ${planned === 1 ? 'changes' : 'change'} the fleet. ${verdict}`,
      content,
    },
  ];
}
