import { ungroupedId } from '../../model/observed.ts';
import { actsOf } from '../ordering/planned-acts.ts';
import type { Comparison, IntendedChange, Plan } from '../types/plan.ts';
import type { Baseline, KnownHost } from './drift.ts';

export function comparePlans(
  head: Plan,
  base: { readonly plan: Plan; readonly source: string },
  baseline: Baseline | undefined,
): Comparison {
  const before = new Map(intendedChanges(base.plan).map((change) => [keyOf(change), change]));
  const after = intendedChanges(head);
  const asked = new Set(after.map(keyOf));
  const known = after.filter((change) => before.has(keyOf(change)));
  const isDrift = (change: IntendedChange) => baseline !== undefined && isInBaseline(change, baseline);
  return {
    base: base.source,
    introduced: after.filter((change) => !before.has(keyOf(change))),
    pending: known.filter((change) => !isDrift(change)),
    drift: known.filter(isDrift),
    reverted: [...before].filter(([key]) => !asked.has(key)).map(([, change]) => change),
  };
}

function intendedChanges({ steps }: Plan): readonly IntendedChange[] {
  return actsOf(steps).map(({ kind, hostId, name, to, group, reason }) => ({
    kind,
    hostId,
    name,
    to:
      group === undefined
        ? (to ?? null)
        : group.id === ungroupedId
          ? null
          : (group.name ?? `{ id: ${group.id} }`),
    reason: reason(),
  }));
}

function keyOf({ kind, hostId, to }: IntendedChange): string {
  return `${kind} ${hostId} ${to ?? ''}`;
}

/** Did the baseline already have the value that this change sets? */
function isInBaseline(change: IntendedChange, baseline: Baseline): boolean {
  return [baseline.host(change.hostId), baseline.earlier(change.hostId)].some(
    (before) => before !== undefined && hasValue(before, change, baseline),
  );
}

function hasValue(before: KnownHost, change: IntendedChange, baseline: Baseline): boolean {
  switch (change.kind) {
    case 'rename':
      return before.name === change.to;
    case 'move':
      return (baseline.groupName(before.groupId) ?? null) === change.to;
    case 'antivirus':
      return before.antivirus === true;
    case 'delete':
      return false;
  }
}
