import { type Desired, generatedDesired } from '../../model/desired.ts';
import { type Entry } from '../../model/entry.ts';
import type { GroupId, HostId, Observed } from '../../model/observed.ts';
import type { IrreversibleKind } from '../../model/policy.ts';
import { noLine, note, type Problem, warning } from '../../problem/problem.ts';

/** What one run did to one host: the first and the last value of each attribute. */
export interface HostHistory {
  readonly hostId: HostId;
  readonly names: readonly (string | null)[];
  readonly groups: readonly GroupId[];
  /** The changes of the run that no call reverts. */
  readonly irreversible: readonly IrreversibleKind[];
}

export interface UndoIntent {
  readonly desired: Desired;
  readonly problems: readonly Problem[];
}

/**
 * The reversal of a run as a desired state: every host that is still as the run left it gets its previous name and
 * group. Hosts that someone has changed since are left unchanged. Changes that can't be reversed are reported.
 */
export function undoDesired(
  runId: string,
  histories: readonly HostHistory[],
  observed: Observed,
): UndoIntent {
  const entries: Entry[] = [];
  const problems: Problem[] = [];
  for (const history of histories) {
    const { hostId, names, groups } = history;
    for (const kind of history.irreversible) problems.push(lasting(hostId, kind));
    const host = observed.byId(hostId);
    if (names.length + groups.length === 0) continue;
    if (host === undefined) {
      if (!history.irreversible.includes('delete'))
        problems.push(changed(hostId, 'is no longer in the list, so nothing is undone for it'));
      continue;
    }
    const name = names[0];
    const group = groups[0];
    const nameHolds = names.length === 0 || names.includes(host.name);
    const groupHolds = groups.length === 0 || groups.includes(host.groupId);
    if (!nameHolds)
      problems.push(changed(hostId, `now has the name "${host.name}", so its name is left unchanged`));
    if (!groupHolds)
      problems.push(changed(hostId, 'is now in another group, so its group is left unchanged'));
    if (name === null)
      problems.push(
        changed(hostId, 'had no name, and no call can remove a name, so its name is left unchanged'),
      );
    entries.push({
      index: entries.length,
      id: hostId,
      previously: [],
      antivirus: false,
      ensure: 'present',
      ...(nameHolds && typeof name === 'string' ? { name } : {}),
      ...(groupHolds && group !== undefined ? { group: { kind: 'id', id: group } } : {}),
    });
  }
  // The run is the cause of all its reversals. It has no lines.
  const run = { file: `run ${runId}`, line: noLine, col: noLine };
  return { desired: { ...generatedDesired(entries, run), files: [run.file] }, problems };
}

function lasting(hostId: HostId, kind: IrreversibleKind): Problem {
  const what = kind === 'delete' ? 'was deleted' : 'had the anti-virus installed';
  return note('irreversible', `host ${hostId} ${what}, which can't be undone`, { hostIds: [hostId] });
}

function changed(hostId: HostId, what: string): Problem {
  return warning('changed-since', `host ${hostId} ${what}`, { hostIds: [hostId] });
}
