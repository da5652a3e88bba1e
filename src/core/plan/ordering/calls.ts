import type { CallCount } from '../types/plan.ts';
import type { Ordering } from './order.ts';
import type { Tally } from './tally.ts';

/**
 * Counts the plan's calls and the minimum that every plan needs: one call for each changed name, one more for each
 * cycle and for each host to be deleted whose name another host needs, and one for each batch. It does not need the
 * steps.
 */
export function countCalls(tally: Tally, ordering: Ordering, batchSize: number): CallCount {
  const batches = (hosts: number) => Math.ceil(hosts / batchSize);
  const names = tally.renames - ordering.blocked.size;
  const move = [...tally.movesByGroup.values()].reduce((sum, hosts) => sum + batches(hosts), 0);
  const antivirus = batches(tally.installs);
  const refresh = batches(tally.refreshes);
  const deletions = batches(tally.deletions);
  const batched = move + antivirus + refresh + deletions;
  return {
    planned: names + ordering.temporaryRenames + batched,
    minimum: names + ordering.cycles + ordering.ownersToDelete + batched,
    byAction: { rename: names + ordering.temporaryRenames, move, delete: deletions, antivirus, refresh },
  };
}
