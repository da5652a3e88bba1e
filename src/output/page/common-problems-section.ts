import type { PlansRows, ProblemRow } from '../review/plans-rows.ts';
import { type Html, html, nothing } from './markup.ts';
import { foldHtml, type Section } from './section.ts';
import { shortNameHtml } from './shown-name.ts';
import { counted } from './words.ts';

const mostProblems = 200;
const mostNames = 8;
/** Lists with at most this many problems are unfolded. */
const mostUnfolded = 25;

/** Each problem once, with the accounts that have it; errors first. */
export function commonProblemsSection({ problems, review }: PlansRows): readonly Section[] {
  const shown = problems.slice(0, mostProblems);
  const lists = (['error', 'warning', 'note'] as const).flatMap((severity) => {
    const those = shown.filter(({ problem }) => problem.severity === severity);
    const all = review.totals.problems[severity];
    if (all === 0) return [];
    const inList = those.reduce((sum, { accounts }) => sum + accounts.length, 0);
    const more =
      inList >= all
        ? nothing
        : html`<p class="more padded">The plan files have the other problems: show one with <code>rampart show</code>.</p>`;
    return [
      foldHtml({
        title: html`${counted(all, severity)}`,
        content: html`<ul class="problems">\n${those.map(problemHtml)}</ul>${more}`,
        open: severity !== 'note' && those.length <= mostUnfolded,
        tone: severity,
      }),
    ];
  });
  return lists.length === 0 ? [] : [{ id: 'problems', title: 'Problems', content: html`${lists}` }];
}

function problemHtml({ problem, accounts }: ProblemRow): Html {
  const { severity, code, message, hint, file, line } = problem;
  const left = accounts.length - mostNames;
  const names = accounts
    .slice(0, mostNames)
    .map((name, index) => html`${index === 0 ? '' : ', '}${shortNameHtml(name)}`);
  const more = left > 0 ? html` and ${left} more` : nothing;
  const where = file === undefined ? nothing : html`<p class="source"><bdi>${file}</bdi>:${line ?? 1}</p>\n`;
  return html`<li class="problem ${severity}">
<p class="message"><span class="tag ${severity}">${code}</span> <bdi>${message}</bdi></p>
${where}<p class="by">in ${counted(accounts.length, 'account')}: ${names}${more}</p>
${hint === undefined ? nothing : html`<p class="hint">${hint}</p>\n`}</li>
`;
}
