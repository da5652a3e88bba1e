import type { PlanReview } from '../review/plan-review.ts';
import type { ReviewAction } from '../review/reviewed-host.ts';
import { durationRange } from './durations.ts';
import { counted, figure } from './numbers.ts';
import type { Tone } from './tone.ts';

/** What applying a plan costs. */
export interface CallCosts extends Pick<PlanReview, 'calls_by_kind' | 'minimum_calls' | 'seconds'> {
  readonly calls: number;
}

export interface Tile {
  readonly title: string;
  /** A number, or a text for a value that is not a count. */
  readonly value: number | string;
  readonly tone?: Tone | undefined;
  readonly note?: string | undefined;
}

interface PlanTotals extends CallCosts {
  readonly counts: Readonly<Record<ReviewAction, number>>;
  readonly groups: readonly { readonly arrive: number }[];
  /** How many chains and cycles the renames form. */
  readonly chains: number;
}

/** What a plan changes, and what that costs. */
export function planTiles({
  counts,
  groups,
  chains,
  calls,
  minimum_calls,
  seconds,
}: PlanTotals): readonly Tile[] {
  const targets = groups.filter(({ arrive }) => arrive > 0).length;
  return [
    { title: 'Deletions', value: counts.delete, tone: 'red', note: "can't be undone" },
    { title: 'Anti-virus installs', value: counts.install, tone: 'red', note: "can't be undone" },
    {
      title: 'Renames',
      value: counts.rename,
      note: chains === 0 ? undefined : `with ${counted(chains, 'chain or cycle', 'chains or cycles')}`,
    },
    { title: 'Moves', value: counts.move, note: `to ${counted(targets, 'group')}` },
    ...(counts.refresh === 0 ? [] : [{ title: 'Status refreshes', value: counts.refresh }]),
    { title: 'Calls', value: calls, note: `minimum ${figure(minimum_calls)}` },
    {
      title: 'Time',
      value: seconds === null || calls === 0 ? '–' : durationRange(seconds).replace('about ', ''),
      note: calls === 0 ? undefined : seconds === null ? 'no measured rate yet' : 'forecast',
    },
  ];
}
