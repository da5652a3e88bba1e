import type { Plan } from '../../core/plan/types/plan.ts';
import type { BatchMember, Reason, Step } from '../../core/plan/types/step.ts';
import { mostReported, type ReportedChange } from '../../output/review/account-report.ts';
import { cutText } from '../../output/review/cut-text.ts';

/** The first changes that nobody can undo: deletions, then anti-virus installs. */
export function firstIrreversible({ steps }: Plan): ReportedChange[] {
  return first(mostReported.irreversible, [changesOf(steps, 'delete'), changesOf(steps, 'antivirus')]);
}

/** The first renames, then moves. A temporary rename is not a change of its own. */
export function firstReversible({ steps }: Plan): ReportedChange[] {
  return first(mostReported.changes, [changesOf(steps, 'rename'), changesOf(steps, 'move')]);
}

function first(most: number, lists: readonly Iterable<ReportedChange>[]): ReportedChange[] {
  const rows: ReportedChange[] = [];
  for (const list of lists) {
    for (const row of list) {
      if (rows.length === most) return rows;
      rows.push(row);
    }
  }
  return rows;
}

/** Made one at a time: most of them are not shown. */
function* changesOf(steps: readonly Step[], kind: ReportedChange['kind']): Generator<ReportedChange> {
  for (const step of steps) {
    if (step.kind !== kind) continue;
    if (step.kind === 'rename') {
      const { hostId, expects, to, reason } = step;
      yield {
        kind: 'rename',
        host_id: hostId,
        name: textOf(expects.name),
        to: cutText(to),
        reason: reasonOf(reason),
      };
    } else for (const member of step.hosts) yield memberChange(member, step);
  }
}

function memberChange({ hostId, name, reason, hazards }: BatchMember, step: Step): ReportedChange {
  const change = { host_id: hostId, name: textOf(name), reason: reasonOf(reason) };
  switch (step.kind) {
    case 'move':
      return { kind: 'move', ...change, to: textOf(step.groupName) };
    case 'delete':
      return { kind: 'delete', ...change, ...(hazards.includes('online') ? { online: true as const } : {}) };
    default:
      return { kind: 'antivirus', ...change };
  }
}

function reasonOf({ file, line, rule }: Reason): ReportedChange['reason'] {
  return { file: cutText(file), line, ...(rule === undefined ? {} : { rule: cutText(rule) }) };
}

function textOf(name: string | null): string | null {
  return name === null ? null : cutText(name);
}
