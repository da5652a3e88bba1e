import type { Desired } from '../../core/model/desired.ts';
import type { HostId, Observed } from '../../core/model/observed.ts';
import type { DriftDifference } from '../../core/plan/drift/drift.ts';
import { matchEntries } from '../../core/plan/intents/match.ts';
import { ok, type Result } from '../../core/problem/problem.ts';
import type { EntryChange } from '../../input/writing/change-entries.ts';
import {
  type ChangedHosts,
  type ChangeHostsOptions,
  changeHosts,
  type HostEdit,
  type RefusedChange,
} from '../../input/writing/change-hosts.ts';
import { whyUnclaimable } from '../../input/writing/claimable-name.ts';
import { createIntents } from '../../input/writing/draft-fleet.ts';
import type { OpenedSources } from '../../input/writing/edited-source.ts';

/** A difference: an attribute of a host, and where the desired state requests another value. */
type Adoptable = Pick<DriftDifference, 'attribute' | 'hostId' | 'observed' | 'place'>;

/**
 * The edits that let the desired state request what the fleet has. With `mayAdd`, an entry also overrides a rule that
 * requests something else. Nothing is written.
 */
export function adoptDifferences<D extends Adoptable>(
  state: OpenedSources & { readonly desired: Desired },
  observed: Observed,
  differences: readonly D[],
  options: ChangeHostsOptions,
): Result<ChangedHosts<D>> {
  const refused: RefusedChange<D>[] = [];
  const changes: HostEdit<D>[] = [];
  const entries = entriesOfHosts(state.desired, observed);
  const intents = createIntents(observed);
  for (const difference of differences) {
    const { hostId, place } = difference;
    const change = adoptedChange(difference, observed, intents);
    if (typeof change === 'string') refused.push({ of: difference, why: change });
    else changes.push({ hostId, entry: entries.get(hostId), change, file: place?.file, of: difference });
  }
  const changed = changeHosts(state, changes, options);
  if (!changed.ok) return changed;
  return ok({ ...changed.value, refused: [...refused, ...changed.value.refused] }, changed.problems);
}

/** The entry of each host, by the host's id: also of hosts that were deleted, if the entry pins the id. */
export function entriesOfHosts(desired: Desired, observed: Observed): ReadonlyMap<HostId, number> {
  const matching = matchEntries(desired, observed, { strict: false });
  const gone = matching.awaiting.flatMap(({ id, index }) => (id === undefined ? [] : [[id, index] as const]));
  return new Map([...matching.matches().map(({ entry, host }) => [host.id, entry.index] as const), ...gone]);
}

/** What the entry should request, or why it can't. */
function adoptedChange(
  { attribute, hostId, observed: value }: Adoptable,
  observed: Observed,
  intents: ReturnType<typeof createIntents>,
): EntryChange | string {
  if (attribute === 'presence')
    return value === 'absent' ? { kind: 'no-host' } : 'the file requests its deletion';
  const host = observed.byId(hostId);
  if (host === undefined) return 'the list does not have the host';
  switch (attribute) {
    case 'name': {
      const why = whyUnclaimable(host, observed, () => false);
      return why ?? { kind: 'name', name: host.name as string };
    }
    case 'group': {
      const group = intents(host.groupId);
      return group === undefined ? 'the list does not have its group' : { kind: 'group', group };
    }
    case 'antivirus':
      return { kind: 'no-antivirus' };
  }
}
