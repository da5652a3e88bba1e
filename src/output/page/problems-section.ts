import { formatPlace } from '../../core/problem/place.ts';
import type { Problem, Severity } from '../../core/problem/problem.ts';
import { renderProblem } from '../review/problem-text.ts';
import type { PlanRows } from '../review/rows.ts';
import { markedColor, markedHtml } from './marked-color.ts';
import { type Html, html, nothing } from './markup.ts';
import { foldHtml, type Section } from './section.ts';
import { shortNameHtml } from './shown-name.ts';
import { counted } from './words.ts';

/** Lists with at most this many problems are unfolded. */
const mostUnfolded: Readonly<Record<Severity, number>> = {
  error: Number.POSITIVE_INFINITY,
  warning: 20,
  note: 5,
};

/** Every problem with its source line, errors first. */
export function problemsSection({ problems }: PlanRows): readonly Section[] {
  const lists: Html[] = [];
  let number = 0;
  for (const severity of ['error', 'warning', 'note'] as const) {
    const those = problems[severity];
    if (those.length === 0) continue;
    const items = those.map((each) => problemHtml(each, number++));
    lists.push(
      foldHtml({
        title: html`${counted(those.length, severity)}`,
        content: html`<ul class="problems">\n${items}</ul>`,
        open: those.length <= mostUnfolded[severity],
        tone: severity,
      }),
    );
  }
  return lists.length === 0 ? [] : [{ id: 'problems', title: 'Problems', content: html`${lists}` }];
}

function problemHtml(problem: Problem, number: number): Html {
  const { severity, code, message, policy, hint } = problem;
  const by =
    policy === undefined ? nothing : html` <span class="rule">policy ${shortNameHtml(policy)}</span>`;
  const way = hint === undefined ? nothing : html`<p class="hint">${hint}</p>\n`;
  return html`<li class="problem ${severity}" id="problem-${number}">
<p class="message"><span class="tag ${severity}">${code}</span> <bdi>${message}</bdi>${by}</p>
${sourceLines(problem)}${way}</li>
`;
}

/** The marked source lines of the problem, or just the place if no line is known. */
function sourceLines(problem: Problem): Html {
  const { code, severity, message, place, related = [] } = problem;
  if (place === undefined && related.length === 0) return nothing;
  if (place !== undefined && place.text === undefined && related.length === 0)
    return html`<p class="source"><bdi>${formatPlace(place)}</bdi></p>\n`;
  const [, ...lines] = renderProblem(
    { code, severity, message, related, ...(place === undefined ? {} : { place }) },
    { color: markedColor },
  )
    .trimEnd()
    .split('\n');
  return html`<pre tabindex="0">${markedHtml(lines.join('\n'))}</pre>\n`;
}
