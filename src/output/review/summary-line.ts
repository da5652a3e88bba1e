import { count, countIfAny, grouped } from '../../core/lib/words.ts';
import { type CallCount, isEmpty, type Plan, type Summary } from '../../core/plan/types/plan.ts';
import type { Problem } from '../../core/problem/problem.ts';
import { pendingCount, pendingStates } from './pending-words.ts';

/** `Plan: 12 renames (plus 2 temporary renames), 7 moves, 2 deletions; 3 renames blocked, 31 unchanged, 1 awaiting enrollment, 9 unmanaged.` */
export function summaryLine({ summary, problems }: Plan): string {
  return totalsLine(summary, blockedRenames(problems));
}

/** The same for any counts of changes and blocked renames. */
export function totalsLine(summary: Summary, blocked: number): string {
  const changes = changeCountWords(summary);
  const rest = [
    ...(blocked === 0 ? [] : [`${count(blocked, 'rename')} blocked`]),
    ...pendingStates.flatMap((state) => {
      const number = state === 'in-doubt' ? summary.installsInDoubt : summary.installsInProgress;
      return number === 0 ? [] : [pendingCount(number, state)];
    }),
    `${grouped(summary.unchanged)} unchanged`,
    ...(summary.awaitingEnrollment === 0 ? [] : [`${summary.awaitingEnrollment} awaiting enrollment`]),
    ...(summary.unmanaged === 0 ? [] : [`${grouped(summary.unmanaged)} unmanaged`]),
  ];
  return `Plan: ${changes.length === 0 ? 'no changes' : changes.join(', ')}; ${rest.join(', ')}.`;
}

/** `12 renames (plus 2 temporary renames)`, `7 moves`; kinds without changes are left out. */
export function changeCountWords(summary: Summary): readonly string[] {
  return [
    ...(summary.rename + summary.temporaryRename === 0 ? [] : [renames(summary)]),
    ...countIfAny(summary.move, 'move'),
    ...countIfAny(summary.antivirus, 'anti-virus install'),
    ...countIfAny(summary.delete, 'deletion'),
    ...countIfAny(summary.refresh, 'status refresh', 'status refreshes'),
  ];
}

/** `17 API calls (the minimum possible).`; undefined if there is nothing to send. */
export function callsLine(plan: Plan): string | undefined {
  return isEmpty(plan) ? undefined : callWords(plan.calls);
}

export function callWords({ planned, minimum }: Pick<CallCount, 'planned' | 'minimum'>): string {
  const calls = count(planned, 'API call');
  return planned === minimum
    ? `${calls} (the minimum possible).`
    : `${calls}; the minimum possible is ${minimum}.`;
}

function renames({ rename, temporaryRename }: Summary): string {
  const temporaryRenames =
    temporaryRename === 0 ? '' : ` (plus ${count(temporaryRename, 'temporary rename')})`;
  return `${count(rename, 'rename')}${temporaryRenames}`;
}

/** Renames blocked by name conflicts, including those that wait for them. */
export function blockedRenames(problems: readonly Problem[]): number {
  const all = problems.find(({ code }) => code === 'blocked')?.hostIds;
  const hit = problems.flatMap(({ code, hostIds = [] }) =>
    code === 'name-conflict' ? hostIds.slice(0, 1) : [],
  );
  return (all ?? hit).length;
}
