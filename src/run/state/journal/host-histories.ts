import type { GroupId, HostId } from '../../../core/model/observed.ts';
import type { IrreversibleKind } from '../../../core/model/policy.ts';
import type { HostHistory } from '../../../core/plan/undo/undo-desired.ts';
import { changesMade, type Replay } from './replay.ts';

/** What a run did, or may have done, to each host, in the journal's order. */
export function hostHistories(replayed: Replay): readonly HostHistory[] {
  const histories = new Map<string, Draft>();
  for (const { step, change } of changesMade(replayed)) {
    // A refresh changes nothing.
    if (step.begin.kind === 'refresh') continue;
    const draft = histories.get(change.host_id) ?? { names: [], groups: [], irreversible: [] };
    histories.set(change.host_id, draft);
    if (change.name !== undefined) {
      if (draft.names.length === 0) draft.names.push(change.name.before);
      draft.names.push(change.name.after);
    }
    if (change.group !== undefined) {
      if (draft.groups.length === 0) draft.groups.push(change.group.before as GroupId);
      draft.groups.push(change.group.after as GroupId);
    }
    if (step.begin.kind === 'delete' || step.begin.kind === 'antivirus')
      draft.irreversible.push(step.begin.kind);
  }
  return [...histories].map(([hostId, draft]) => ({ hostId: hostId as HostId, ...draft }));
}

interface Draft {
  readonly names: (string | null)[];
  readonly groups: GroupId[];
  readonly irreversible: IrreversibleKind[];
}
