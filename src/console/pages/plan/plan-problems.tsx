import type { PlanDetail } from '../../../api/plans.ts';
import { Section } from '../../parts/page.tsx';
import { Place } from '../../parts/text.tsx';
import { counted, listed } from '../../words/numbers.ts';

type PlanProblem = PlanDetail['problems'][number];

const severities = {
  error: { glyph: '▲', tone: 'red', word: 'error' },
  warning: { glyph: '◆', tone: 'amber', word: 'warning' },
  note: { glyph: 'i', tone: 'dim', word: 'note' },
} as const;

/** Problems and findings of policies, errors first. */
export function PlanProblems({
  problems,
  more = 0,
}: {
  readonly problems: readonly PlanProblem[];
  readonly more?: number | undefined;
}) {
  if (problems.length === 0) return null;
  const order = Object.keys(severities);
  const sorted = problems.toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
  const count = (severity: PlanProblem['severity']) =>
    problems.filter((each) => each.severity === severity).length;
  const counts = (['error', 'warning', 'note'] as const)
    .filter((severity) => count(severity) > 0)
    .map((severity) => counted(count(severity), severities[severity].word));
  return (
    <Section title="Problems and policies" count={listed(counts)}>
      <ul class="problems">
        {sorted.map((each, index) => {
          const { glyph, tone, word } = severities[each.severity];
          return (
            <li key={`${index} ${each.code}`} class={`problem ${tone}`}>
              <p>
                <span class={`mark ${tone}`}>
                  <span class="glyph" aria-hidden="true">
                    {glyph}
                  </span>
                  {word}
                </span>{' '}
                {each.message}
              </p>
              {each.hint === undefined ? null : <p class="hint">{each.hint}</p>}
              <p class="dim">
                <code>{each.code}</code> <Place place={each.place} />
              </p>
            </li>
          );
        })}
      </ul>
      {more === 0 ? null : <p class="more">and {counted(more, 'more problem')}</p>}
    </Section>
  );
}
