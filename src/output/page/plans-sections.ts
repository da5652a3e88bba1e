import type { AccountReport, ReportedChange } from '../review/account-report.ts';
import type { PlansRows } from '../review/plans-rows.ts';
import { irreversibleTitle, planWords } from '../review/plans-words.ts';
import { remarkTitles } from './change-words.ts';
import { type Html, html, nothing } from './markup.ts';
import { foldHtml, type Section } from './section.ts';
import { nameHtml, shortNameHtml } from './shown-name.ts';
import { counted, sourceHtml } from './words.ts';

/** The most rows on the page, the fewest for one account, and the most accounts with rows. */
const mostRows = 1500;
const fewestRows = 3;
const mostAccounts = 500;
/** Lists with at most this many rows are unfolded. */
const mostUnfolded = 25;

/** What no undo reverts, by account. */
export function irreversiblePlansSection(rows: PlansRows): readonly Section[] {
  const { irreversible } = rows;
  if (irreversible.length === 0) return [];
  const all = irreversible.reduce((sum, { plan }) => sum + (plan?.irreversible.count ?? 0), 0);
  const lists = foldsOf(irreversible, {
    caption: 'Irreversible changes',
    listOf: (plan) => plan.irreversible,
    words: ({ irreversible: { count } }) => counted(count, 'change'),
    open: all <= mostUnfolded,
  });
  return [
    {
      id: 'irreversible',
      title: 'Irreversible changes',
      lead: html`${irreversibleTitle(rows)}`,
      content: lists,
    },
  ];
}

/** The renames and moves of each account. */
export function accountPlansSection({ groups }: PlansRows): readonly Section[] {
  const changed = groups
    .flatMap(({ accounts }) => accounts)
    .filter(({ plan }) => (plan?.changes.count ?? 0) > 0);
  if (changed.length === 0) return [];
  const content = foldsOf(changed, {
    caption: 'Renames and moves',
    listOf: (plan) => plan.changes,
    words: planWords,
    open: false,
  });
  return [{ id: 'plans', title: 'Plans by account', content }];
}

type Plan = NonNullable<AccountReport['plan']>;

interface Folds {
  readonly caption: string;
  readonly listOf: (plan: Plan) => Plan['changes'];
  readonly words: (plan: Plan) => string;
  readonly open: boolean;
}

/** One fold for each account. Each account shows the same number of rows; accounts beyond the most are counted. */
function foldsOf(accounts: readonly AccountReport[], { caption, listOf, words, open }: Folds): Html {
  const shown = accounts.slice(0, mostAccounts);
  const most = Math.max(fewestRows, Math.floor(mostRows / shown.length));
  const folds = shown.map(({ account, plan }) => {
    if (plan === undefined) return nothing;
    const { count, first } = listOf(plan);
    const rows = first.slice(0, most);
    const left = count - rows.length;
    const more =
      left === 0
        ? nothing
        : html`<p class="more padded">${counted(left, 'more change')} in the plan file.</p>`;
    return foldHtml({
      title: html`${shortNameHtml(account.name)} <span class="dim">${words(plan)}</span>`,
      content: html`${changeTable(rows, `${caption} in ${account.name}`)}${more}`,
      open,
    });
  });
  const left = accounts.length - shown.length;
  return left === 0
    ? html`${folds}`
    : html`${folds}<p class="more">${counted(left, 'more account')}: see the plan files.</p>\n`;
}

function changeTable(changes: readonly ReportedChange[], caption: string): Html {
  return html`<div class="scroller" role="region" aria-label="${caption}" tabindex="0">
<table>
<caption class="unseen">${caption}</caption>
<thead><tr><th scope="col">Host</th><th scope="col">Change</th><th scope="col" class="id">Id</th><th scope="col">Requested by</th></tr></thead>
<tbody>
${changes.map(changeHtml)}</tbody>
</table>
</div>
`;
}

function changeHtml(change: ReportedChange): Html {
  const { kind, name, host_id, reason, online } = change;
  const remark = online === true ? html` <span class="tag remark">${remarkTitles.online}</span>` : nothing;
  const { rule, ...place } = reason;
  return html`<tr><th scope="row" data-label="Host">${nameHtml(name)}${remark}</th><td data-label="Change"><span class="tag ${kind}">${kindWords[kind]}</span>${target(change)}</td><td class="id" data-label="Id">${host_id}</td><td data-label="Requested by">${sourceHtml({ ...place, ...(rule === undefined ? {} : { rule }) })}</td></tr>
`;
}

const kindWords = { delete: 'Delete', antivirus: 'Anti-virus', rename: 'Rename', move: 'Move' } as const;

function target({ kind, to = null }: ReportedChange): Html {
  if (kind === 'move' && to === null) return html` → no group`;
  return kind === 'rename' || kind === 'move' ? html` → ${nameHtml(to)}` : nothing;
}
