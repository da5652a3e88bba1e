import { rolloutStateWords, toRolloutSummary, totalsOf } from '../../accounts/rollouts/rollout-document.ts';
import { count } from '../../core/lib/words.ts';
import { asWarning, type Problem } from '../../core/problem/problem.ts';
import type { Column } from '../../output/review/columns.ts';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import type { LockHolder } from '../../run/state/lease/lease-holder.ts';
import { type Rollout, rolloutLockKey, rolloutOf } from '../../run/state/rollout/rollout.ts';
import { printListing } from '../listing/print-listing.ts';
import { exitForRollout } from '../rollouts/rollout-exit-code.ts';
import type { Context } from '../shell/context.ts';

const usualLimit = 50;

interface ListedRollout {
  readonly rollout: Rollout;
  /** Who runs it now. */
  readonly holder: LockHolder | null;
}

/** The rollouts of the state, latest first. A rollout that can't be read is reported and skipped. */
export async function rolloutListCommand(
  context: Context,
  { limit = usualLimit }: { readonly limit?: number },
): Promise<ExitCode> {
  const opened = await context.state.open();
  if (!opened.ok) return context.fail(opened.problems);
  const state = opened.value;
  const ids = await state.rollouts.list();
  if (!ids.ok) return context.fail(ids.problems);
  const listed: ListedRollout[] = [];
  const problems: Problem[] = [];
  for (const id of ids.value.slice(0, limit)) {
    const log = await state.rollouts.read(id);
    if (!log.ok) problems.push(...log.problems.map(asWarning));
    if (!log.ok || log.value === null) continue;
    const holder = await state.holder(rolloutLockKey(id));
    if (!holder.ok) return context.fail(holder.problems);
    listed.push({ rollout: rolloutOf(log.value), holder: holder.value });
  }
  context.report(problems);
  const empty = ids.value.length === 0 ? 'There are no rollouts yet.\n' : '';
  printListing(context, listed, columns, { document: toDocument, empty });
  if (ids.value.length > limit)
    context.log(`The list ends after ${count(limit, 'rollout')}. List more with --limit.`);
  return exitCodes.success;
}

function toDocument({ rollout, holder }: ListedRollout) {
  return { ...toRolloutSummary(rollout, exitForRollout(rollout)), is_running: holder !== null };
}

const columns: readonly Column<ListedRollout>[] = [
  { key: 'rollout', kind: 'fixed', value: ({ rollout }) => rollout.id },
  {
    key: 'done',
    kind: 'fixed',
    value: ({ rollout }) => `${totalsOf(rollout).done} of ${rollout.accounts.size}`,
  },
  { key: 'failed', kind: 'fixed', value: ({ rollout }) => totalsOf(rollout).failed },
  { key: 'by', kind: 'name', value: ({ rollout }) => rollout.head.origin.actor ?? null },
  { key: 'state', kind: 'note', value: ({ rollout, holder }) => rolloutStateWords(rollout, holder) },
];
