import type { AccountReport } from '../review/account-report.ts';
import type { AccountGroup, GroupKind, PlansRows } from '../review/plans-rows.ts';
import { groupTitle, planWords, problemWords } from '../review/plans-words.ts';
import { type Html, html, nothing } from './markup.ts';
import { foldHtml, type Section } from './section.ts';
import { shortNameHtml } from './shown-name.ts';
import { figure } from './words.ts';

/** Groups with at most this many accounts are unfolded. */
const mostUnfolded = 25;

const tones: Readonly<Record<GroupKind, string>> = {
  failed: 'error',
  refused: 'error',
  irreversible: 'warning',
  changes: '',
  'no-changes': '',
};

/** Every account, by what happens in it. */
export function accountsSection({ groups }: PlansRows): readonly Section[] {
  if (groups.length === 0) return [];
  const content = groups.map((group) =>
    foldHtml({
      title: html`${groupTitle(group)}`,
      content: group.kind === 'no-changes' ? nameList(group) : accountTable(group),
      open: group.accounts.length <= mostUnfolded,
      tone: tones[group.kind],
    }),
  );
  return [{ id: 'accounts', title: 'Accounts', content: html`${content}` }];
}

function nameList({ accounts }: AccountGroup): Html {
  const names = accounts.map(({ account }) => html`<li>${shortNameHtml(account.name)}</li>`);
  return html`<ul class="files padded">${names}</ul>`;
}

function accountTable(group: AccountGroup): Html {
  const { kind, accounts } = group;
  const caption = groupTitle(group);
  const isFailed = kind === 'failed';
  const rows = accounts.map((report) => (isFailed ? failedRow(report) : accountRow(report)));
  const columns = isFailed
    ? html`<th scope="col">Account</th><th scope="col">Reason</th>`
    : html`<th scope="col">Account</th><th scope="col">Changes</th><th scope="col">Calls</th><th scope="col">Problems</th>`;
  return html`<div class="scroller" role="region" aria-label="${caption}" tabindex="0">
<table>
<caption class="unseen">${caption}</caption>
<thead><tr>${columns}</tr></thead>
<tbody>
${rows}</tbody>
</table>
</div>`;
}

function accountRow({ account, plan, problems }: AccountReport): Html {
  return html`<tr>${accountCell(account)}<td data-label="Changes">${plan === undefined ? nothing : planWords(plan)}</td><td data-label="Calls">${figure(plan?.calls.planned ?? 0)}</td><td data-label="Problems">${problemWords({ problems })}</td></tr>
`;
}

function failedRow({ account, problems }: AccountReport): Html {
  const [first] = problems.first;
  const reason =
    first === undefined
      ? nothing
      : html`<span class="tag error">${first.code}</span> <bdi>${first.message}</bdi>`;
  return html`<tr>${accountCell(account)}<td data-label="Reason">${reason}</td></tr>
`;
}

function accountCell({ name, labels }: AccountReport['account']): Html {
  const words = Object.entries(labels).map(([label, value]) => `${label}: ${value}`);
  const shown = words.length === 0 ? nothing : html` <span class="by"><bdi>${words.join(', ')}</bdi></span>`;
  return html`<th scope="row" data-label="Account">${shortNameHtml(name)}${shown}</th>`;
}
