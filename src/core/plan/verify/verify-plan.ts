import { quoted } from '../../lib/words.ts';
import { foldName } from '../../model/host-name.ts';
import type { GroupId, Observed } from '../../model/observed.ts';
import { type ChangeKind, changeKinds } from '../../model/policy.ts';
import { hasErrors } from '../../problem/problem.ts';
import type { Breach, Plan, Summary, UndoItem } from '../types/plan.ts';
import { actionOf, isNameStep, type Step, type StepKind } from '../types/step.ts';
import type { Flaw, Report } from './flaw.ts';
import { checkNames, type GivenNames, type TouchedHost, type TouchedHosts, touchedHosts } from './names.ts';

/** A plan of strangers could have one for each of its steps. */
const mostFlaws = 20;

/**
 * Reasons not to apply a plan, whoever wrote it; none if it proves itself. It uses nothing of the planner, and trusts
 * none of its numbers: everything is counted again from the steps and from their record of the fleet before the plan.
 * With the fleet, that record is compared with it too.
 */
export function flawsOf(plan: Plan, fleet?: Observed): readonly Flaw[] {
  const flaws: Flaw[] = [];
  const report: Report = (at, why) => {
    if (flaws.length < mostFlaws) flaws.push({ at, why });
  };
  const hosts = touchedHosts(plan, report);
  const given = checkNames(plan, hosts, report);
  checkCalls(plan, hosts, given, report);
  checkCounts(plan, hosts, report);
  if (fleet !== undefined) checkFleet(hosts, fleet, report);
  return flaws;
}

/** The plan's record of its hosts is true, and the names that it gives belong to no host that it leaves alone. */
function checkFleet(hosts: TouchedHosts, fleet: Observed, report: Report): void {
  for (const [id, { expects }] of hosts.byId) {
    const live = fleet.byId(id);
    if (live === undefined) report('observed', `host ${id} is not in the fleet`);
    else if (live.name !== expects.name || live.groupId !== expects.groupId)
      report('observed', `host ${id} has another name or group in the fleet`);
  }
  for (const { step } of hosts.renames)
    for (const owner of fleet.byFoldedName(foldName(step.to)))
      if (!hosts.byId.has(owner.id))
        report(step.id, `host ${owner.id} has the name ${quoted(step.to)} and keeps it`);
}

/**
 * No plan with the same result needs fewer calls. Each host with another name needs a rename. A cycle of hosts that want each
 * other's names needs one more, because a first host must leave its name while its new one is taken; a host whose deletion
 * comes last needs one if another host wants its name. The temporary renames are the proof: each names its own cycle or its
 * own deletion, so there are as many of them as the fleet requires. The other calls have as many hosts as fit.
 */
function checkCalls(plan: Plan, hosts: TouchedHosts, given: GivenNames, report: Report): void {
  const broken = new Set<TouchedHost>();
  for (const { step, host } of hosts.renames) {
    const { id, steps } = host;
    if (step.kind === 'rename') {
      if (step.to === host.expects.name) report(step.id, `host ${id} has this name already`);
      continue;
    }
    if ((steps.delete ?? steps.rename) === undefined) report(step.id, `host ${id} keeps a temporary name`);
    if (step.why === 'deletion') {
      if (steps.delete === undefined || plan.deleteFirst || nextOwner(host, given) === undefined)
        report(step.id, `host ${id} needs no temporary name: no other host gets its name`);
      continue;
    }
    if (steps.rename?.to !== step.finalName)
      report(step.id, `host ${id} gets another name than the one that is announced`);
    if (!breaksCycle(host, given, broken))
      report(
        step.id,
        `host ${id} needs no temporary name: it is in no cycle, or its cycle is broken already`,
      );
  }
  checkBatches(plan, report);
}

/** The host that gets the name of another one for good. */
function nextOwner({ was }: TouchedHost, given: GivenNames): TouchedHost | undefined {
  const next = was === null ? undefined : given.get(was);
  return next?.step.kind === 'rename' ? next.host : undefined;
}

/** Does the name of each host go to the next one, until the first one gets the name of the last one? */
function breaksCycle(first: TouchedHost, given: GivenNames, broken: Set<TouchedHost>): boolean {
  let host: TouchedHost | undefined = first;
  do {
    if (broken.has(host)) return false;
    broken.add(host);
    host = nextOwner(host, given);
  } while (host !== undefined && host !== first);
  return host === first && nextOwner(first, given) !== first;
}

function checkBatches({ steps, batchSize, calls }: Plan, report: Report): void {
  const hosts = new Map<string, number>();
  const sent = new Map<string, number>();
  for (const step of steps) {
    if (isNameStep(step)) continue;
    const batch = batchOf(step);
    if (step.hosts.length > batchSize) report(step.id, `it has more than ${batchSize} hosts`);
    hosts.set(batch, (hosts.get(batch) ?? 0) + step.hosts.length);
    sent.set(batch, (sent.get(batch) ?? 0) + 1);
  }
  for (const [batch, count] of hosts)
    if ((sent.get(batch) ?? 0) > Math.ceil(count / batchSize))
      report('calls', `${sent.get(batch)} calls (${batch}) for ${count} hosts are more than needed`);
  if (calls.minimum !== calls.planned || calls.planned !== steps.length)
    report('calls', 'its numbers are not those of the steps');
}

/** Steps of one batch differ only in their hosts. */
function batchOf(step: Step & { readonly groupId?: GroupId }): string {
  return step.kind === 'move' ? `move to ${step.groupId}` : step.kind;
}

/** Counts, limits, approvals and the verdict match the steps and problems of the plan. */
function checkCounts(plan: Plan, hosts: TouchedHosts, report: Report): void {
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
