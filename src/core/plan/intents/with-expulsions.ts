import type { HostId } from '../../model/host-id.ts';
import type { Observed } from '../../model/observed.ts';
import type { Policy } from '../../model/policy.ts';
import { type ClaimsGroup, expulsions } from './exclusive-groups.ts';
import type { Intent } from './intents.ts';

/**
 * What requests a group or the deletion of a host: entries and rules, not the policy of a group. A rule without an
 * answer for a host might request a group as well.
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

/** All intents, with those of exclusive groups that send other hosts away. */
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
