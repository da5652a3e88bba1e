import type { HostId } from '../../model/host-id.ts';
import type { ObservedHost } from '../../model/observed.ts';
import type { HostChange } from '../difference/compare.ts';

/** What becomes of a host; null where it is gone, undefined where the plan leaves it as it is. */
export type OutcomeOf = (change: HostChange) => ObservedHost | null | undefined;

/** As `predict` tells it from the steps, from one change alone: a host whose rename is blocked keeps its name. */
export function outcomeOf(blocked: ReadonlySet<HostId>): OutcomeOf {
  return ({ host, rename, move, antivirus, delete: isGone }) => {
    if (isGone) return null;
    const to = rename === undefined || blocked.has(host.id) ? undefined : rename;
    if (to === undefined && move === undefined && !antivirus) return undefined;
    const after = { ...host, name: to ?? host.name, groupId: move?.id ?? host.groupId };
    return antivirus
      ? { ...after, antivirus: { supported: true, ...host.antivirus, installed: true } }
      : after;
  };
}
