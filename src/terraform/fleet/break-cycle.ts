import type { HostId, ObservedHost } from '../../core/model/observed.ts';
import { type OrderedRename, orderRenames } from '../../core/plan/ordering/order.ts';
import type { LiveFleet } from './live-fleet.ts';
import { ownersOf, type RenameIntent } from './rename-intent.ts';

export type TemporaryRenameOrder = Extract<OrderedRename, { readonly kind: 'temporary-rename' }>;

/**
 * The temporary rename that breaks the cycle of a rename. There is none if the rename waits for a host whose own rename
 * does not wait. The planner selects the host that leaves the cycle.
 */
export function breakCycle<Waiting extends RenameIntent>(
  start: Waiting,
  fleet: LiveFleet,
  waitingOf: (host: HostId) => Waiting | undefined,
  claimed: ReadonlyMap<string, unknown>,
): TemporaryRenameOrder | undefined {
  const reached = new Set([start]);
  for (const each of reached) {
    for (const owner of ownersOf(fleet, each)) {
      const next = waitingOf(owner.id);
      if (next === undefined) return undefined;
      reached.add(next);
    }
  }
  const { steps } = orderRenames({
    renames: [...reached].map(({ hostId, to }) => ({ host: fleet.byId(hostId) as ObservedHost, to })),
    ownersOf: (folded) => fleet.byFoldedName(folded),
    isToBeDeleted: () => false,
    planned: new Set(claimed.keys()),
    deleteFirst: true,
  });
  return steps.find((step) => step.kind === 'temporary-rename');
}
