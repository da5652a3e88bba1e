import { ungroupedId } from '../model/group.ts';
import type { HostId } from '../model/host-id.ts';
import { foldName } from '../model/host-name.ts';
import { type InstallRecall, nothingRecalled, pendingStateOf } from '../model/install-request.ts';
import type { Observed, ObservedHost } from '../model/observed.ts';
import { mayBeUnreadable } from '../model/unreadable-host.ts';
import { type Expectation, hostIdsOf, type Plan, type Step, type StepId } from '../plan/plan.ts';
import { type Problem, problem } from '../problem/problem.ts';
import { collectJourneys, isNameOf, isOnTheWay, type Journey } from './journey.ts';

/** A plan held against a fresh read, before anything is written. */
export interface Assessment {
  /** Hosts whose part in a step is done already, by step. */
  readonly done: ReadonlyMap<StepId, ReadonlySet<HostId>>;
  /** One for each host that is not where the plan relied on it to be, and for each new holder of a wanted name. */
  readonly stale: readonly Problem[];
}

/** Installs that are pending are not requested again, and hosts that were refreshed since are not refreshed again. */
export function assess(plan: Plan, observed: Observed, recall: InstallRecall = nothingRecalled): Assessment {
  const journeys = collectJourneys(plan.steps);
  const done = new Map<StepId, Set<HostId>>(plan.steps.map((step) => [step.id, new Set()]));
  const stale: Problem[] = [];
  for (const [hostId, journey] of journeys) {
    assessHost(journey, observed, done, stale);
    const host = observed.byId(hostId);
    if (host === undefined) continue;
    if (journey.installs !== undefined && pendingStateOf(host, recall, observed) !== undefined)
      done.get(journey.installs)?.add(hostId);
    if (journey.refreshes !== undefined && recall.requests.get(hostId)?.refreshedAt !== undefined)
      done.get(journey.refreshes)?.add(hostId);
  }
  for (const step of plan.steps) {
    if (step.kind !== 'rename' && step.kind !== 'park') continue;
    if (done.get(step.id)?.has(step.hostId) === true) continue;
    for (const holder of observed.byFoldedName(foldName(step.to))) {
      if (!journeys.has(holder.id)) stale.push(newSquatter(step, holder));
    }
  }
  return { done, stale };
}

export function isDone(step: Step, assessment: Assessment): boolean {
  return hostIdsOf(step).every((id) => assessment.done.get(step.id)?.has(id));
}

function assessHost(
  journey: Journey,
  observed: Observed,
  done: ReadonlyMap<StepId, Set<HostId>>,
  stale: Problem[],
): void {
  const { expects, nameSteps, moveTo } = journey;
  const host = observed.byId(expects.hostId);
  const mark = (step: StepId) => done.get(step)?.add(expects.hostId);
  if (host === undefined) {
    if (mayBeUnreadable(observed, expects.hostId))
      stale.push(moved(expects, "is not in the list, which has hosts that can't be read"));
    else if (journey.deletes === undefined) stale.push(moved(expects, 'is no longer in the list'));
    else for (const step of [...nameSteps.map((each) => each.id), journey.deletes]) mark(step);
    return;
  }
  const reached = nameSteps.findLastIndex((each) => isNameOf(each, host.name));
  if (reached === -1 && !isOnTheWay(journey, host.name))
    stale.push(moved(expects, `is now called "${host.name}"`));
  for (const step of nameSteps.slice(0, reached + 1)) mark(step.id);

  if (moveTo !== undefined && host.groupId === moveTo.groupId) mark(moveTo.id);
  else if (host.groupId !== expects.groupId)
    stale.push(moved(expects, `is now in ${groupWords(host, observed)}`));
  if (host.antivirus?.installed !== true) return;
  if (journey.installs !== undefined) mark(journey.installs);
  if (journey.refreshes !== undefined) mark(journey.refreshes);
}

function groupWords(host: ObservedHost, observed: Observed): string {
  if (host.groupId === ungroupedId) return 'no group';
  const name = observed.groupById(host.groupId)?.name;
  return name === undefined || name === null ? `group ${host.groupId}` : `the group "${name}"`;
}

function moved(expects: Expectation, what: string): Problem {
  return problem('stale-plan', `"${expects.name}" (${expects.hostId}) ${what}`, {
    hint: 'plan again',
    hostIds: [expects.hostId],
  });
}

function newSquatter(step: { readonly to: string; readonly hostId: HostId }, holder: ObservedHost): Problem {
  return problem('stale-plan', `"${step.to}", wanted for ${step.hostId}, is now the name of ${holder.id}`, {
    hint: 'plan again',
    hostIds: [step.hostId, holder.id],
  });
}
