import type { HostId } from '../../model/host-id.ts';
import type { Observed } from '../../model/observed.ts';
import type { Policy } from '../../model/policy.ts';
import { type ClaimsGroup, expulsions } from './exclusive-groups.ts';
import type { Intent } from './intents.ts';

/** Who wants a host in some group, or gone: entries and rules, not the policy of a group. */
export function groupClaims(managed: () => readonly Intent[]): ClaimsGroup {
  let claimed: ReadonlySet<HostId> | undefined;
  return (id) => {
    claimed ??= new Set(
      managed().flatMap(({ host, group, absent }) =>
        group === undefined && absent === undefined ? [] : [host.id],
      ),
    );
    return claimed.has(id);
  };
}

/** All wishes, with those of exclusive groups that send others away. */
export function withExpulsions(
  managed: readonly Intent[],
  policy: Policy,
  observed: Observed,
): readonly Intent[] {
  const expelled = expulsions(
    policy,
    observed,
    groupClaims(() => managed),
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
