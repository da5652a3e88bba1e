import { now } from '../browser/clock.ts';
import { exactTime, relativeTime, sinceWords } from '../words/times.ts';

/** A relative time with the exact one on hover. */
export function Time({ at }: { readonly at: string | null | undefined }) {
  if (at === null || at === undefined) return <span class="dim">never</span>;
  return (
    <time dateTime={at} title={exactTime(at, {})}>
      {relativeTime(at, { now: now.value })}
    </time>
  );
}

/** How long something has been so, with the exact time of its start on hover. */
export function Since({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={exactTime(at, {})}>
      {sinceWords(at, { now: now.value })}
    </time>
  );
}
