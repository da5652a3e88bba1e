import { printable } from '../../core/lib/printable.ts';
import { planChecksum } from '../../core/plan/document/plan-document.ts';
import { count } from '../review/count.ts';
import { alsoRead } from '../review/lists-read.ts';
import { liftedLimits } from '../review/plan-foot.ts';
import type { PlanRows } from '../review/rows.ts';
import { summaryLine } from '../review/summary-line.ts';
import { type Html, html, nothing } from './markup.ts';
import { shortNameHtml } from './shown-name.ts';
import { counted } from './words.ts';

const mostFiles = 5;

/** What the plan was made for, if a pipeline made it. */
export interface PageOrigin {
  readonly commit?: string;
  /** The address of the pull request or merge request. */
  readonly request?: string;
}

export function pageHead(rows: PlanRows, origin: PageOrigin): Html {
  return html`<header class="top">
<div class="bar"><p class="brand">Rampart</p>
${themeSwitch}</div>
<h1>Plan</h1>
<p class="sum">${summaryLine(rows.plan).replace(/^Plan: (no changes; )?/, '')}</p>
${verdict(rows)}${facts(rows, origin)}</header>
`;
}

/** States whether the plan can be applied, and other facts about the whole plan. */
function verdict({ plan, standing, problems }: PlanRows): Html {
  const errors = problems.error.length;
  const lines = [
    ...(errors === 0
      ? []
      : [
          banner(
            'error',
            html`This plan can't be applied: <a href="#problems">${counted(errors, 'error')}</a>.`,
          ),
        ]),
    ...(standing === undefined ? [] : [banner(standing.tone, html`${standing.text}`)]),
    ...(plan.partial ? [banner('warning', html`This plan is partial: it covers only some hosts.`)] : []),
    ...liftedLimits(plan).map((line) => banner('warning', html`${line}`)),
  ];
  return lines.length === 0 ? nothing : html`<div class="verdict">\n${lines}</div>\n`;
}

export function banner(tone: 'error' | 'warning' | 'good', text: Html): Html {
  return html`<p class="banner ${tone}">${text}</p>\n`;
}

function facts({ plan }: PlanRows, { commit, request }: PageOrigin): Html {
  const { account, observed, files } = plan;
  const also = alsoRead(plan, printable);
  const named = files.slice(0, mostFiles).map((file) => html`<li>${shortNameHtml(file)}</li>`);
  const more =
    files.length <= mostFiles ? nothing : html`<li>and ${count(files.length - mostFiles, 'more file')}</li>`;
  return html`<dl class="facts">
${account.companyId === null ? nothing : html`<div><dt>Company</dt><dd><bdi>${account.companyId}</bdi></dd></div>\n`}<div><dt>Service</dt><dd><bdi>${account.service}</bdi></dd></div>
<div><dt>Fleet</dt><dd>${counted(observed.hosts, 'host')} and ${counted(observed.groups, 'group')}, read at <bdi>${observed.takenAt}</bdi></dd></div>
${also === undefined ? nothing : html`<div><dt>Also read</dt><dd><bdi>${also}</bdi></dd></div>\n`}<div><dt>Desired state</dt><dd><ul class="files">${named}${more}</ul></dd></div>
${commit === undefined ? nothing : html`<div><dt>Commit</dt><dd><bdi>${commit}</bdi></dd></div>\n`}${request === undefined ? nothing : html`<div><dt>Pull request</dt><dd><a href="${request}" rel="noreferrer">${request}</a></dd></div>\n`}${plan.applicable ? html`<div><dt>Checksum</dt><dd><bdi>${planChecksum(plan)}</bdi></dd></div>\n` : nothing}</dl>
`;
}

export const themeSwitch = html`<fieldset class="theme">
<legend class="unseen">Theme</legend>
<label><input type="radio" name="theme" id="theme-auto" checked><span>Auto</span></label>
<label><input type="radio" name="theme" id="theme-light"><span>Light</span></label>
<label><input type="radio" name="theme" id="theme-dark"><span>Dark</span></label>
</fieldset>`;
