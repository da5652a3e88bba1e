import type { HostId } from '../../model/observed.ts';
import type { UndoItem } from '../types/plan.ts';
import { isNameStep, type Step } from '../types/step.ts';

/** The reversal of renames and moves: from each host's last name and group to its first. */
export function planUndo(steps: readonly Step[]): readonly UndoItem[] {
  const names = new Map<HostId, { readonly first: string | null; last: string }>();
  const moves: UndoItem[] = [];
  const deleted = new Set<HostId>();
  for (const step of steps) {
    if (isNameStep(step)) {
      const known = names.get(step.hostId);
      if (known === undefined) names.set(step.hostId, { first: step.expects.name, last: step.to });
      else known.last = step.to;
    }
    if (step.kind === 'move') {
      for (const { hostId, expects } of step.hosts) {
        moves.push({ kind: 'move', hostId, from: step.groupId, to: expects.groupId });
      }
    }
    if (step.kind === 'delete') for (const { hostId } of step.hosts) deleted.add(hostId);
  }
  const renames: UndoItem[] = [];
  for (const [hostId, { first, last }] of names) {
    if (first !== null && !deleted.has(hostId))
      renames.push({ kind: 'rename', hostId, from: last, to: first });
  }
  return [...renames, ...moves];
}
