import type { Constraints } from '../../core/plan/types/constraints.ts';
import type { PlanRows } from '../review/rows.ts';
import { type Html, html, nothing } from './markup.ts';
import type { Section } from './section.ts';
import { shortNameHtml } from './shown-name.ts';

/** The times at which the plan may be applied, if a policy restricts them. */
export function timesSection({ plan }: PlanRows): readonly Section[] {
  const { constraints } = plan;
  if (constraints === undefined) return [];
  const items = [...constraints.windows.map(windowHtml), ...constraints.freezes.map(freezeHtml)];
  if (items.length === 0) return [];
  return [
    {
      id: 'times',
      title: 'When the plan can be applied',
      lead: html`Every apply checks these times when it starts.`,
      content: html`<ul class="times">\n${items}</ul>`,
    },
  ];
}

function windowHtml({ name, kinds, only, message }: Constraints['windows'][number]): Html {
  return html`<li><strong>${shortNameHtml(name)}</strong>: ${kinds.join(', ')} only in <bdi>${only.join('; ')}</bdi>${messageHtml(message)}</li>\n`;
}

function freezeHtml({ name, from, until, message }: Constraints['freezes'][number]): Html {
  const since = from === undefined ? '' : ` from ${from}`;
  const end = until === undefined ? '' : ` until ${until}`;
  return html`<li><strong>${shortNameHtml(name)}</strong>: no changes<bdi>${since}${end}</bdi>${messageHtml(message)}</li>\n`;
}

function messageHtml(message: string | undefined): Html {
  return message === undefined ? nothing : html` <span class="dim">(<bdi>${message}</bdi>)</span>`;
}
