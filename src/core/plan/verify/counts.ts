import type { GroupId } from '../../model/observed.ts';
import { type ChangeKind, changeKinds } from '../../model/policy.ts';
import { hasErrors } from '../../problem/problem.ts';
import type { Breach, Plan, Summary, UndoItem } from '../types/plan.ts';
import { actionOf, type StepKind } from '../types/step.ts';
import type { Report } from './flaw.ts';
import type { TouchedHost, TouchedHosts } from './touched-hosts.ts';

/** Counts, limits, approvals and the verdict match the steps and problems of the plan. */
export function checkCounts(plan: Plan, hosts: TouchedHosts, report: Report): void {
  checkSummary(plan, report);
  checkLimits(plan, hosts, report);
  checkUndo(plan, hosts, report);
  if (plan.applicable === hasErrors(plan.problems))
    report('applicable', 'it contradicts the problems of the plan');
}

function checkSummary({ steps, summary, calls, pendingInstalls }: Plan, report: Report): void {
  const sums = { rename: 0, temporaryRename: 0, move: 0, antivirus: 0, refresh: 0, delete: 0 };
  const byAction = { rename: 0, move: 0, delete: 0, antivirus: 0, refresh: 0 };
  for (const step of steps) {
    sums[keyOf(step.kind)] += 'hosts' in step ? step.hosts.length : 1;
    byAction[actionOf(step.kind)] += 1;
  }
  const inDoubt = pendingInstalls.filter(({ state }) => state === 'in-doubt').length;
  const pending = { installsInDoubt: inDoubt, installsInProgress: pendingInstalls.length - inDoubt };
  const expected: Partial<Summary> = { ...sums, ...pending };
  for (const [key, count] of Object.entries(expected))
    if (summary[key as keyof Summary] !== count) report('summary', `"${key}" is ${count} by the steps`);
  for (const [action, count] of Object.entries(byAction))
    if (calls.byAction[action as keyof typeof byAction] !== count)
      report('calls', `"${action}" is ${count} by the steps`);
}

function keyOf(kind: StepKind): Exclude<StepKind, 'temporary-rename'> | 'temporaryRename' {
  return kind === 'temporary-rename' ? 'temporaryRename' : kind;
}

function checkLimits(plan: Plan, hosts: TouchedHosts, report: Report): void {
  const { limits, breaches, acks, applicable, summary } = plan;
  const exceeded = new Set<Breach>();
  for (const kind of changeKinds) {
    if (!limits.some((each) => each.limit === kind && each.groupId === undefined))
      report('limits', `the limit for "${kind}" is missing`);
    if ((acks[kind] ?? summary[kind]) !== summary[kind] && applicable)
      report('acks', `the plan has ${summary[kind]} of "${kind}", and another number is approved`);
  }
  for (const { limit, groupId, allowed } of limits) {
    const count = countOf(limit, groupId, hosts);
    if (count <= allowed) continue;
    const breach = breaches.find(
      (each) =>
        each.limit === limit &&
        each.count === count &&
        each.allowed === allowed &&
        (each.group === undefined) === (groupId === undefined) &&
        !exceeded.has(each),
    );
    if (breach === undefined)
      report('breaches', `${count} of "${limit}" exceed the limit of ${allowed}, which is not listed`);
    else exceeded.add(breach);
  }
  for (const breach of breaches) {
    if (breach.limit === 'missing') continue;
    const { limit, group, count, acknowledged } = breach;
    if (!exceeded.has(breach)) report('breaches', `the limit for "${limit}" is not exceeded as listed`);
    if (acknowledged !== (group === undefined && acks[limit] === count))
      report('breaches', `the approval of ${count} of "${limit}" is not among the approvals of the plan`);
    if (!acknowledged && applicable)
      report('applicable', `${count} of "${limit}" exceed a limit, and nobody approved them`);
  }
}

function countOf(kind: ChangeKind, group: GroupId | undefined, hosts: TouchedHosts): number {
  let count = 0;
  for (const { steps, expects } of hosts.byId.values())
    if (steps[kind] !== undefined && (group === undefined || expects.groupId === group)) count += 1;
  return count;
}

/** The reversal of each rename and move of a host that is still there, once, and nothing else. */
function checkUndo({ undo }: Plan, { byId }: TouchedHosts, report: Report): void {
  const left = { rename: new Set<TouchedHost>(), move: new Set<TouchedHost>() };
  for (const host of byId.values()) {
    if (host.steps.rename !== undefined && host.expects.name !== null) left.rename.add(host);
    if (host.steps.move !== undefined) left.move.add(host);
  }
  const isRight = ({ kind, hostId, from, to }: UndoItem) => {
    const host = byId.get(hostId);
    if (host === undefined || !left[kind].delete(host)) return false;
    const { steps, expects } = host;
    return kind === 'rename'
      ? from === steps.rename?.to && to === expects.name
      : from === steps.move?.groupId && to === expects.groupId;
  };
  if (!undo.every(isRight) || left.rename.size + left.move.size > 0)
    report('undo', 'it is not the reversal of the steps');
}
