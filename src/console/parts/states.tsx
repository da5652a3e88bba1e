import type { ComponentChildren } from 'preact';
import { withTimes } from '../../output/components/sentence-times.ts';
import { PlaceText, Text } from '../../output/components/text.tsx';
import type { ApiProblem } from '../data/api.ts';
import type { PageResource } from '../data/resource.ts';
import { problemAdvice } from '../words/problem-advice.ts';
import { Button } from './button.tsx';

/** What would be here, and how to get it. */
export function EmptyState(props: {
  readonly title: string;
  readonly children?: ComponentChildren;
  readonly action?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <p class="empty-title">{props.title}</p>
      {props.children === undefined ? null : <div class="empty-text">{props.children}</div>}
      {props.action === undefined ? null : <div class="actions">{props.action}</div>}
    </div>
  );
}

interface ErrorStateProps {
  readonly problem: ApiProblem | null;
  readonly tried?: string;
  readonly onRetry?: () => void;
}

/** What the page tried, what went wrong, and what to do. Nothing without a problem. */
export function ErrorState({ problem, onRetry, tried }: ErrorStateProps) {
  if (problem === null) return null;
  const advice = problemAdvice(problem);
  return (
    <div class="fault" role="alert">
      <p class="fault-title">
        <span class="glyph" aria-hidden="true">
          ▲
        </span>
        {tried === undefined ? problemText(problem) : `${tried} failed`}
      </p>
      {tried === undefined ? null : (
        <p>
          <Text text={problemText(problem)} />
        </p>
      )}
      {(problem.problems ?? []).map((each) => (
        <p key={`${each.code} ${each.message}`}>
          <Text text={each.message} /> <PlaceText place={each.place} />
        </p>
      ))}
      {advice === null ? null : (
        <p class="hint">
          <Text text={advice} />
        </p>
      )}
      <p class="fine">
        <code>{problem.code}</code> <PlaceText place={problem.place} />
      </p>
      {onRetry === undefined ? null : (
        <div class="actions">
          <Button onClick={onRetry}>Try again</Button>
        </div>
      )}
    </div>
  );
}

/** The most precise words for a problem. */
export function problemText({ title, detail, status }: ApiProblem): string {
  return status === 0 ? title : withTimes(detail ?? title);
}

/** Lines in place of what is loading. They appear after 300 ms. */
export function Skeleton({
  lines = 6,
  label = 'Loading',
}: {
  readonly lines?: number;
  readonly label?: string;
}) {
  return (
    <div class="skeleton" role="status">
      <span class="unseen">{label}</span>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} class="skeleton-line" aria-hidden="true" />
      ))}
    </div>
  );
}

type BannerTone = 'red' | 'amber' | 'blue' | 'green';

const bannerGlyphs: Readonly<Record<BannerTone, string>> = { red: '▲', amber: '◆', blue: 'i', green: '●' };

interface BannerProps {
  readonly tone: BannerTone;
  readonly glyph?: string;
  readonly children: ComponentChildren;
  readonly action?: ComponentChildren;
  /** A screen reader says it at once. */
  readonly isUrgent?: boolean;
}

/** A sentence over the page, with what to do about it. */
export function Banner({ tone, glyph = bannerGlyphs[tone], children, action, isUrgent }: BannerProps) {
  return (
    <div class={`banner ${tone}`} role={isUrgent === true ? 'alert' : 'status'}>
      <span class="glyph" aria-hidden="true">
        {glyph}
      </span>
      <div class="banner-text">{children}</div>
      {action === undefined ? null : <div class="banner-action">{action}</div>}
    </div>
  );
}

/**
 * Shows a resource, or what replaces it: a skeleton, or an error. A problem of a later read is shown above the earlier
 * result, which is kept.
 */
export function Loaded<Value>({
  of,
  tried,
  lines,
  children,
}: {
  readonly of: PageResource<Value>;
  /** What the page tried, such as `Reading the account`. */
  readonly tried: string;
  readonly lines?: number;
  readonly children: (value: Value) => ComponentChildren;
}) {
  if (of.value === null) {
    if (of.problem !== null) return <ErrorState problem={of.problem} tried={tried} onRetry={of.reload} />;
    return <Skeleton {...(lines !== undefined && { lines })} />;
  }
  return (
    <>
      {of.problem === null || of.problem.status === 0 || of.problem.status === 401 ? null : (
        <Banner tone="red" action={<Button onClick={of.reload}>Try again</Button>}>
          {tried} failed. {of.problem.title} You see what was last read.
        </Banner>
      )}
      {children(of.value)}
    </>
  );
}
