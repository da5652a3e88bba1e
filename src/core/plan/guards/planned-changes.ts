import type { ChangeFacts, ExpressionSubject } from '../../model/expression.ts';
import type { Facts } from '../../model/facts.ts';
import type { Observed, ObservedHost } from '../../model/observed.ts';
import type { ChangeKind } from '../../model/policy.ts';
import type { HostDifference } from '../difference/compare.ts';
import { hostList } from '../intents/host-list.ts';
import { subjectOf } from '../intents/subject.ts';

/** One change of one host, with the host as it was before the plan. */
export interface PlannedChange {
  readonly subject: ExpressionSubject;
  readonly change: ChangeFacts;
}

export function plannedChanges(
  changes: readonly HostDifference[],
  observed: Observed,
  facts: Facts,
): readonly PlannedChange[] {
  return changes.flatMap((each) => {
    const subject = subjectOf(each.host, observed, facts);
    return changesOf(each, subject).map((change) => ({ subject, change }));
  });
}

function changesOf(
  { host, rename, move, antivirus, delete: toDelete }: HostDifference,
  { group }: ExpressionSubject,
): readonly ChangeFacts[] {
  return [
    ...(rename === undefined ? [] : [{ kind: 'rename', from: host.name ?? '', to: rename } as const]),
    ...(move === undefined ? [] : [{ kind: 'move', from: group, to: move.name ?? '' } as const]),
    ...(antivirus ? [{ kind: 'antivirus', from: '', to: '' } as const] : []),
    ...(toDelete ? [{ kind: 'delete', from: '', to: '' } as const] : []),
  ];
}

export function hostsIn(planned: readonly PlannedChange[]): readonly ObservedHost[] {
  return planned.map(({ subject }) => subject.host);
}

export const wouldBe: Readonly<Record<ChangeKind, string>> = {
  rename: 'would be renamed',
  move: 'would be moved',
  antivirus: 'would be given the anti-virus',
  delete: 'would be deleted',
};

/** `"A" (1), "B" (2) would be deleted`, for changes of one kind. */
export function describeChanges(planned: readonly PlannedChange[]): string {
  const { kind, to } = (planned[0] as PlannedChange).change;
  const aim = planned.length > 1 || (kind !== 'rename' && kind !== 'move') ? '' : aimOf(to);
  return `${hostList(hostsIn(planned))} ${wouldBe[kind]}${aim}`;
}

/** Only a move can have no target: no host gets an empty name. */
function aimOf(to: string): string {
  return to === '' ? ' out of its group' : ` to "${to}"`;
}
