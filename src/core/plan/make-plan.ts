import { sha256HexOf } from '../lib/hash.ts';
import { once } from '../lib/once.ts';
import { type Facts, noFacts } from '../model/facts.ts';
import { ungroupedId } from '../model/group.ts';
import type { HostId } from '../model/host-id.ts';
import { hostsOf, type Observed } from '../model/observed.ts';
import { hasErrors } from '../problem/problem.ts';
import type { Diff } from './difference/compare.ts';
import { compare } from './difference/compare.ts';
import { sortedByHostId } from './difference/compare-hosts.ts';
import { guard } from './guards/guard.ts';
import { isSurelySettled } from './guards/is-settled.ts';
import { policyProblems } from './guards/policies.ts';
import { protectionProblems } from './guards/protect.ts';
import { rulesThatEnd, settleProblems } from './guards/settle.ts';
import { unreadableHostProblems } from './guards/unreadable-hosts.ts';
import { accountFactProblems } from './intents/account-fact-problems.ts';
import { customFieldProblems } from './intents/custom-field-problems.ts';
import type { Intent } from './intents/intents.ts';
import { pendingCounts, toPendingInstall, worthRefreshing } from './intents/pending-installs.ts';
import { groupClaims } from './intents/with-expulsions.ts';
import { countCalls } from './ordering/calls.ts';
import { forecastSeconds, longestChain } from './ordering/forecast.ts';
import { hostStatesOf } from './ordering/host-states.ts';
import { leftTemporaryNames, mayLeaveTemporaryNames } from './ordering/left-temporary-names.ts';
import { blockedProblems } from './ordering/name-conflicts.ts';
import type { Ordering } from './ordering/order.ts';
import { orderChanges } from './ordering/order-changes.ts';
import { outcomeOf } from './ordering/outcome.ts';
import { predict } from './ordering/predict.ts';
import { makeSteps } from './ordering/steps.ts';
import { type Tally, tallyOf } from './ordering/tally.ts';
import { touchedGroups } from './ordering/touched-groups.ts';
import { unitsOf, withUnits } from './ordering/units.ts';
import { type Forecast } from './types/forecast.ts';
import { type ObservedSummary, type Plan, planFormatVersion, type Summary } from './types/plan.ts';
import type { PlanInputs } from './types/plan-inputs.ts';
import { type Step } from './types/step.ts';
import { planUndo } from './undo/undo.ts';

/**
 * Compares the desired state with the fleet: resolve, diff, order, guard, settle. It never fails: problems are part of
 * the plan, which can still be rendered.
 */
export function makePlan(inputs: PlanInputs): Plan {
  return makePlanOf(compare(inputs, inputs.observed), inputs);
}

/** The plan of a difference that was found with these inputs. */
export function makePlanOf(whole: Diff, inputs: PlanInputs): Plan {
  const { desired, observed } = inputs;
  const batchSize = inputs.batchSize ?? 1000;
  const deleteFirst = inputs.deleteFirst ?? false;
  const stepsOf = (
    { changes, pendingInstalls }: Pick<Diff, 'changes' | 'pendingInstalls'>,
    renames: Ordering['steps'],
  ) =>
    makeSteps({
      desired,
      changes,
      refreshes: worthRefreshing(pendingInstalls),
      changeOf: (id) => whole.changeOf(id),
      renames,
      batchSize,
      deleteFirst,
    });
  const scope = scopeOf(inputs, () => stepsOf(whole, orderChanges(whole, inputs).steps));
  const difference = {
    ...whole,
    changes: whole.changes.filter((change) => scope.has(change.host.id)),
    pendingInstalls: whole.pendingInstalls.filter(({ host }) => scope.has(host.id)),
  };
  const { ordering, steps, forecast } = choose(difference, inputs, (made) => stepsOf(difference, made.steps));

  const tally = tallyOf(difference.changes, worthRefreshing(difference.pendingInstalls).length);
  const summary = summarize(whole, difference, tally, ordering, observed);
  const guarded = guard({
    limits: desired.limits,
    ...(desired.limitPlaces === undefined ? {} : { limitPlaces: desired.limitPlaces }),
    acks: inputs.acks ?? {},
    summary,
    fleetSize: observed.count,
    pinned: difference.matching.pinned,
    allowEmptyFleet: inputs.allowEmptyFleet ?? false,
    ...(inputs.lastFleetSize === undefined ? {} : { lastFleetSize: inputs.lastFleetSize }),
  });
  const policed = policyProblems({
    policy: desired.policy,
    changes: difference.changes,
    observed,
    facts: inputs.facts ?? noFacts,
    now: inputs.now,
    isClaimed: isIn(() => whole.managed()),
    claimsGroup: groupClaims(() => whole.managed(), whole.undecided),
  });
  const afterOf = outcomeOf(ordering.blocked);
  const groups = once(() => touchedGroups(steps(), observed));
  const hostStates = once(() => hostStatesOf(steps(), observed));
  const undo = once(() => planUndo(steps()));
  const predicted = once(() => predict(observed, steps()));
  const problems = [
    ...accountFactProblems(desired, inputs.facts?.account),
    ...customFieldProblems(desired, observed, inputs.facts ?? noFacts),
    ...unreadableHostProblems({
      desired,
      observed,
      matching: whole.matching,
      changes: difference.changes,
    }),
    ...difference.problems,
    ...blockedProblems(desired, difference.changes, ordering, inputs.skipBlocked ?? false),
    ...(isSurelySettled(inputs, difference, afterOf)
      ? []
      : settleProblems({
          desired,
          changes: difference.changes,
          again: compare(inputs, predicted()),
          blocked: ordering.blocked,
          scope,
        })),
    ...rulesThatEnd(desired, difference.changes, afterOf, observed, inputs.facts ?? noFacts),
    ...(mayLeaveTemporaryNames(whole.matching.temporary, difference.changes)
      ? leftTemporaryNames(predicted())
      : []),
    ...protectionProblems(desired, difference.changes),
    ...policed.problems,
    ...guarded.problems,
  ];
  return {
    formatVersion: planFormatVersion,
    account: inputs.account,
    files: desired.files,
    createdAt: inputs.now,
    observed: summarizeObserved(observed, inputs.facts ?? noFacts),
    get groups() {
      return groups();
    },
    get hostStates() {
      return hostStates();
    },
    get steps() {
      return steps();
    },
    pendingInstalls: difference.pendingInstalls.map(toPendingInstall),
    problems,
    breaches: [...guarded.breaches, ...policed.breaches],
    acks: inputs.acks ?? {},
    applicable: !hasErrors(problems),
    deleteFirst,
    summary,
    calls: countCalls(tally, ordering, batchSize),
    get undo() {
      return undo();
    },
    fast: inputs.fast ?? false,
    partial: inputs.target !== undefined || inputs.exclude !== undefined,
    ...(policed.constraints === undefined ? {} : { constraints: policed.constraints }),
    ...(forecast === undefined ? {} : { forecast }),
  };
}

interface Scope {
  has(host: HostId): boolean;
}

/** The hosts that the plan covers: whole rename components, never parts of them. */
function scopeOf({ target, exclude }: PlanInputs, wholeSteps: () => readonly Step[]): Scope {
  if (target === undefined && exclude === undefined) return { has: () => true };
  const units = unitsOf(wholeSteps());
  const chosen = target === undefined ? { has: () => true } : withUnits(units, target);
  const left = withUnits(units, exclude ?? []);
  return { has: (host) => chosen.has(host) && !left.has(host) };
}

interface Choice {
  readonly ordering: Ordering;
  /** Made on first use: the totals of a plan do not need them. */
  steps(): readonly Step[];
  readonly forecast?: Forecast;
}

/** The fewest calls, or with `fast` the order in which long chains are cut. The forecast shows the cost of both. */
function choose(
  difference: Diff,
  inputs: PlanInputs,
  toSteps: (ordering: Ordering) => readonly Step[],
): Choice {
  const ordering = orderChanges(difference, inputs);
  const steps = once(() => toSteps(ordering));
  const { pace } = inputs;
  if (pace === undefined) return { ordering, steps };
  const longest = longestChain(steps().length, ordering.components, pace);
  const fastOrdering = longest === undefined ? ordering : orderChanges(difference, inputs, longest);
  const fastSteps = longest === undefined ? steps : once(() => toSteps(fastOrdering));
  const forecast: Forecast = {
    pace,
    fewestCalls: { calls: steps().length, seconds: forecastSeconds(steps(), pace) },
    fast: { calls: fastSteps().length, seconds: forecastSeconds(fastSteps(), pace) },
  };
  return inputs.fast === true
    ? { ordering: fastOrdering, steps: fastSteps, forecast }
    : { ordering, steps, forecast };
}

function summarize(
  whole: Diff,
  { matching, managedCount, pendingInstalls }: Diff,
  { renames, moves, installs, refreshes, deletions }: Tally,
  ordering: Ordering,
  observed: Observed,
): Summary {
  return {
    rename: renames - ordering.blocked.size,
    temporaryRename: ordering.temporaryRenames,
    move: moves,
    antivirus: installs,
    refresh: refreshes,
    delete: deletions,
    ...pendingCounts(pendingInstalls),
    unchanged: unchangedOf(whole),
    awaitingEnrollment: matching.awaiting.length,
    unmanaged: observed.count - managedCount,
  };
}

function unchangedOf({
  managed,
  managedCount,
  sendsHostsAway,
  changes,
  changeOf,
  pendingInstalls,
}: Diff): number {
  const pendingOnly = pendingInstalls.filter(({ host }) => changeOf(host.id) === undefined).length;
  if (!sendsHostsAway) return managedCount - changes.length - pendingOnly;
  const claims = isIn(managed);
  return managedCount - changes.filter(({ host }) => claims(host.id)).length - pendingOnly;
}

function isIn(managed: () => readonly Intent[]): (id: HostId) => boolean {
  let ids: ReadonlySet<HostId> | undefined;
  return (id) => {
    ids ??= new Set(managed().map(({ host }) => host.id));
    return ids.has(id);
  };
}

function summarizeObserved(observed: Observed, facts: Facts): ObservedSummary {
  const fingerprint = once(() => sha256HexOf(fingerprintLines(observed)));
  return {
    takenAt: observed.takenAt,
    hosts: observed.count,
    groups: observed.groups.filter(({ id }) => id !== ungroupedId).length,
    lists: [...observed.lists, ...facts.lists],
    // Computed on first use, because it takes longer than reading the list, and only callers that keep the
    // plan need it.
    get fingerprint() {
      return fingerprint();
    },
  };
}

function* fingerprintLines(observed: Observed): Generator<string> {
  let before = '';
  for (const { id, groupId, name } of sortedByHostId(hostsOf(observed), (host) => host.id)) {
    yield `${before}${id}\t${groupId}\t${JSON.stringify(name)}`;
    before = '\n';
  }
}
