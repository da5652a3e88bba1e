import type { PlanRows } from '../review/rows.ts';
import { kindTitles, remarkTitles } from './change-words.ts';
import { type Html, html } from './markup.ts';
import { shortText } from './name-text.ts';
import { scriptJson, toPageData } from './page-changes.ts';
import { changeKinds, type PageData, remarks } from './page-data.ts';
import type { Section } from './section.ts';
import { figure } from './words.ts';

const columns = [
  ['kind', 'Kind'],
  ['host', 'Host'],
  ['id', 'Id'],
  ['group', 'Group now'],
  ['change', 'Change'],
  ['remark', 'Remarks'],
  ['source', 'Requested by'],
] as const;

/** The frame of the table and its data. The page's script fills it. */
export function changesSection(rows: PlanRows): readonly Section[] {
  const data = toPageData(rows);
  if (data.changes.length === 0) return [];
  const content = html`<noscript><p class="banner warning">Searching and sorting all ${figure(data.changes.length)} changes needs JavaScript. Without it, the page still shows the sections above and below, and <code>rampart show plan.json</code> lists everything.</p></noscript>
<div id="explorer" hidden>
${filters(data)}<p id="count" role="status"></p>
<div class="scroller" role="region" aria-label="Table of changes" tabindex="0">
<table id="table" role="table">
<caption class="unseen">Changes: the button in each column header sorts by that column</caption>
<thead role="rowgroup"><tr role="row">${columns.map(headCell)}</tr></thead>
<tbody role="rowgroup"></tbody>
</table>
</div>
<nav id="pages" aria-label="Pages of the table" hidden><button type="button" id="previous">Previous</button><span id="page"></span><button type="button" id="next">Next</button></nav>
</div>
<script type="application/json" id="plan-data">${{ markup: scriptJson(data) }}</script>`;
  return [{ id: 'changes', title: 'All changes', content }];
}

function headCell([key, title]: (typeof columns)[number]): Html {
  return html`<th role="columnheader" scope="col" class="${key}" aria-sort="none"><button type="button" data-sort="${key}">${title}</button></th>`;
}

function filters({ changes, groups, problems }: PageData): Html {
  const number = (test: (change: PageData['changes'][number]) => boolean) => changes.filter(test).length;
  const kinds = changeKinds
    .map((kind) => ({ kind, hits: number((each) => each.kind === kind) }))
    .filter(({ hits }) => hits > 0)
    .map(
      ({ kind, hits }) =>
        html`<label class="chip ${kind}"><input type="checkbox" name="kind" value="${kind}"><span>${kindTitles[kind]} <b>${figure(hits)}</b></span></label>\n`,
    );
  const groupOptions = Object.entries(groups)
    .map(([id, name]) => ({ id, text: shortText(name) }))
    .sort((a, b) => collator.compare(a.text, b.text) || collator.compare(a.id, b.id))
    .map(({ id, text }) => option(id, id === '-1' || text === `group ${id}` ? text : `${text} (${id})`));
  const remarkOptions = remarks
    .map((remark) => ({ remark, hits: number((each) => each.remarks.includes(remark)) }))
    .filter(({ hits }) => hits > 0)
    .map(({ remark, hits }) => option(remark, `${remarkTitles[remark]} (${figure(hits)})`));
  return html`<form id="filters" role="search" aria-label="Changes">
<label class="field wide"><span>Search</span><input type="search" name="query" autocomplete="off" spellcheck="false" placeholder="name, id, group, file or rule"></label>
<label class="field"><span>Group</span><select name="group">${option('', 'any')}${groupOptions}</select></label>
<label class="field"><span>Hazard</span><select name="remark">${option('', 'any or none')}${remarkOptions}</select></label>
${problemFilter(changes, problems)}<fieldset class="chips"><legend class="unseen">Kind</legend>
${kinds}<button type="reset" class="plain">Clear</button></fieldset>
</form>
`;
}

function problemFilter(changes: PageData['changes'], problems: readonly string[]): Html {
  const codes = changes.flatMap((each) => [...new Set(each.problems.map((at) => problems[at] ?? ''))]);
  const byCode = [...Map.groupBy(codes, (code) => code)].sort(([a], [b]) => (a < b ? -1 : 1));
  const touched = changes.filter((each) => each.problems.length > 0).length;
  const options = byCode.map(([code, { length }]) => option(code, `${code} (${figure(length)})`));
  const any = touched === 0 ? [] : [option('*', `any problem (${figure(touched)})`)];
  return html`<label class="field"><span>Problem</span><select name="problem">${option('', 'any or none')}${any}${options}</select></label>
`;
}

function option(value: string, text: string): Html {
  return html`<option value="${value}">${text}</option>`;
}

const collator = new Intl.Collator('en', { numeric: true });
