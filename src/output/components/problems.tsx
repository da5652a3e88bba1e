import type { ComponentChildren } from 'preact';
import { listed } from '../../core/lib/words.ts';
import { severities } from '../../core/problem/problem.ts';
import type { PlanReview } from '../review/plan-review.ts';
import { counted } from './numbers.ts';
import { Section } from './section.tsx';
import { Name, PlaceText, Text } from './text.tsx';

type ReviewProblem = PlanReview['problems'][number];

const marks = {
  error: { glyph: '▲', tone: 'red', word: 'error' },
  warning: { glyph: '◆', tone: 'amber', word: 'warning' },
  note: { glyph: 'i', tone: 'dim', word: 'note' },
} as const;

/** Problems and findings of policies, errors first. Links refer to a problem by its position. */
export function Problems({
  problems,
  more,
}: {
  readonly problems: readonly ReviewProblem[];
  readonly more: number;
}) {
  if (problems.length === 0) return null;
  const order = severities as readonly string[];
  const sorted = problems
    .map((problem, position) => ({ problem, position }))
    .toSorted((a, b) => order.indexOf(a.problem.severity) - order.indexOf(b.problem.severity));
  const count = (severity: ReviewProblem['severity']) =>
    problems.filter((each) => each.severity === severity).length;
  const counts = severities
    .filter((severity) => count(severity) > 0)
    .map((severity) => counted(count(severity), marks[severity].word));
  return (
    <Section id="problems" title="Problems and policies" count={listed(counts)}>
      <ul class="problems">
        {sorted.map(({ problem, position }) => (
          <ProblemItem key={position} problem={problem} id={`problem-${position}`} />
        ))}
      </ul>
      {more === 0 ? null : <p class="more">and {counted(more, 'more problem')}</p>}
    </Section>
  );
}

/** One problem, with what else the page knows about it. */
export function ProblemItem({
  problem,
  id,
  children,
}: {
  readonly problem: ReviewProblem;
  readonly id: string;
  readonly children?: ComponentChildren;
}) {
  const { code, message, hint, place, excerpt, policy } = problem;
  const { glyph, tone, word } = marks[problem.severity];
  return (
    <li id={id} class={`problem ${tone}`}>
      <p>
        <span class={`mark ${tone}`}>
          <span class="glyph" aria-hidden="true">
            {glyph}
          </span>
          {word}
        </span>{' '}
        <Text text={message} />
      </p>
      {excerpt === undefined ? null : (
        // A long line scrolls, and a keyboard scrolls only what has the focus.
        <pre tabIndex={0} class="excerpt">
          {excerpt}
        </pre>
      )}
      {hint === undefined ? null : (
        <p class="hint">
          <Text text={hint} />
        </p>
      )}
      {children}
      <p class="dim">
        <code>{code}</code>
        {policy === undefined ? null : (
          <>
            {' '}
            policy <Name name={policy} />
          </>
        )}{' '}
        {excerpt === undefined ? <PlaceText place={place} /> : null}
      </p>
    </li>
  );
}
