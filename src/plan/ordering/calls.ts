import { type WriteAction, writeActions } from '../../model/write-action.ts';
import type { HostChange } from '../difference/diff.ts';
import { actionOf, type CallCount, type Step } from '../plan.ts';
import type { Ordering } from './order.ts';

/**
 * Counts the plan's calls beside what no plan can do without: a call for each changed name, one more for each
 * cycle and for each doomed holder of a wanted name, and one for each batch.
 */
export function countCalls(
  steps: readonly Step[],
  changes: readonly HostChange[],
  ordering: Ordering,
  batchSize: number,
): CallCount {
  const byAction = Object.fromEntries(writeActions.map((action) => [action, 0])) as Record<
    WriteAction,
    number
  >;
  for (const step of steps) byAction[actionOf(step.kind)] += 1;

  const names = changes.filter(
    ({ host, rename }) => rename !== undefined && !ordering.blocked.has(host.id),
  ).length;
  const moves = new Map<string, number>();
  for (const { move } of changes) if (move !== undefined) moves.set(move.id, (moves.get(move.id) ?? 0) + 1);
  const batches = [
    ...moves.values(),
    changes.filter((change) => change.antivirus).length,
    changes.filter((change) => change.delete).length,
  ];
  const batched = batches.reduce((sum, hosts) => sum + Math.ceil(hosts / batchSize), 0);
  return {
    planned: steps.length,
    lowerBound: names + ordering.cycles + ordering.doomedHolders.length + batched,
    byAction,
  };
}
