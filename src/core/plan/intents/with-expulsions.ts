import type { HostId, Observed } from '../../model/observed.ts';
import type { Policy } from '../../model/policy.ts';
import { type ClaimsGroup, expulsions } from './groups.ts';
import type { Intent } from './intents.ts';

/**
 * The claims on a host's group or deletion: entries and rules, not the policy of a group. A rule without a result for a
 * host might also claim a group.
 */
export function groupClaims(
  managed: () => readonly Intent[],
  undecided: () => ReadonlySet<HostId>,
): ClaimsGroup {
  let claimed: ReadonlySet<HostId> | undefined;
  return (id) => {
    claimed ??= new Set(
      managed().flatMap(({ host, group, absent }) =>
        group === undefined && absent === undefined ? [] : [host.id],
      ),
    );
    return claimed.has(id) || undecided().has(id);
  };
}

/** All intents, including those of exclusive groups that move other hosts out. */
export function withExpulsions(
  managed: readonly Intent[],
  policy: Policy,
  observed: Observed,
  undecided: () => ReadonlySet<HostId>,
): readonly Intent[] {
  const expelled = expulsions(
    policy,
    observed,
    groupClaims(() => managed, undecided),
  );
  if (expelled.length === 0) return managed;
  const moves = new Map(
    expelled.map(({ host, to, place }) => [
      host.id,
      { host, group: { intent: to, claim: { kind: 'group', place } as const } },
    ]),
  );
  const merged = managed.map((intent) => {
    const move = moves.get(intent.host.id);
    if (move === undefined) return intent;
    moves.delete(intent.host.id);
    return { ...intent, group: move.group };
  });
  return [...merged, ...moves.values()];
}
