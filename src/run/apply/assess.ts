import { foldName } from '../../core/model/host-name.ts';
import { type InstallRecall, nothingRecalled, pendingStateOf } from '../../core/model/install-request.ts';
import {
  type HostId,
  mayBeUnreadable,
  type Observed,
  type ObservedHost,
  ungroupedId,
} from '../../core/model/observed.ts';
import {
  collectTransitions,
  isNameOf,
  isOnTheWay,
  type Transition,
} from '../../core/plan/ordering/transition.ts';
import type { Plan } from '../../core/plan/types/plan.ts';
import {
  type Expectation,
  hostIdsOf,
  isNameStep,
  type Step,
  type StepId,
} from '../../core/plan/types/step.ts';
import { type Problem, problem } from '../../core/problem/problem.ts';

/** By step. A host is never done with a step that does not exist. */
type DoneHosts = ReadonlyMap<StepId | undefined, ReadonlySet<HostId>>;

/** The comparison of a plan with a fresh read, before anything is written. */
export interface Assessment {
  /** Hosts whose part in a step is done already, by step. */
  readonly done: DoneHosts;
  /** One for each host whose state the plan does not expect, and for each new owner of a requested name. */
  readonly stale: readonly Problem[];
}

/** Installs that are pending are not requested again, and hosts that were refreshed since are not refreshed again. */
export function assess(plan: Plan, observed: Observed, recall: InstallRecall = nothingRecalled): Assessment {
  const transitions = collectTransitions(plan.steps);
  const done = new Map<StepId | undefined, Set<HostId>>(plan.steps.map((step) => [step.id, new Set()]));
  const stale: Problem[] = [];
  for (const [hostId, transition] of transitions) {
    assessHost(transition, observed, done, stale);
    const host = observed.byId(hostId);
    if (host === undefined) continue;
    if (pendingStateOf(host, recall, observed) !== undefined) done.get(transition.installs)?.add(hostId);
    if (recall.requests.get(hostId)?.refreshedAt !== undefined) done.get(transition.refreshes)?.add(hostId);
  }
  for (const step of plan.steps) {
    if (!isNameStep(step)) continue;
    if (done.get(step.id)?.has(step.hostId) === true) continue;
    for (const owner of observed.byFoldedName(foldName(step.to))) {
      if (!transitions.has(owner.id)) stale.push(newNameConflict(step, owner));
    }
  }
  return { done, stale };
}

export function isDone(step: Step, assessment: Assessment): boolean {
  return hostIdsOf(step).every((id) => assessment.done.get(step.id)?.has(id));
}

function assessHost(
  transition: Transition,
  observed: Observed,
  done: ReadonlyMap<StepId | undefined, Set<HostId>>,
  stale: Problem[],
): void {
  const { expects, nameSteps, moveTo } = transition;
  const host = observed.byId(expects.hostId);
  const mark = (step: StepId | undefined) => done.get(step)?.add(expects.hostId);
  if (host === undefined) {
    if (mayBeUnreadable(observed, expects.hostId))
      stale.push(moved(expects, "is not in the list, which has hosts that can't be read"));
    else if (transition.deletes === undefined) stale.push(moved(expects, 'is no longer in the list'));
    else for (const step of [...nameSteps.map((each) => each.id), transition.deletes]) mark(step);
    return;
  }
  const reached = nameSteps.findLastIndex((each) => isNameOf(each, host.name));
  if (!isOnTheWay(transition, host.name)) stale.push(moved(expects, `now has the name "${host.name}"`));
  for (const step of nameSteps.slice(0, reached + 1)) mark(step.id);

  if (moveTo !== undefined && host.groupId === moveTo.groupId) mark(moveTo.id);
  else if (host.groupId !== expects.groupId)
    stale.push(moved(expects, `is now in ${groupWords(host, observed)}`));
  if (host.antivirus?.installed !== true) return;
  mark(transition.installs);
  mark(transition.refreshes);
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

function newNameConflict(
  step: { readonly to: string; readonly hostId: HostId },
  owner: ObservedHost,
): Problem {
  return problem('stale-plan', `"${step.to}", requested for ${step.hostId}, is now the name of ${owner.id}`, {
    hint: 'plan again',
    hostIds: [step.hostId, owner.id],
  });
}
