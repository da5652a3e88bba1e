import { once } from '../lib/once.ts';
import { noFacts } from '../model/facts.ts';
import { hasErrors } from '../problem/problem.ts';
import { compare, type Diff } from './difference/compare.ts';
import { summarizeObserved } from './difference/observed-summary.ts';
import { plannedTables } from './difference/planned-tables.ts';
import { guardPlan } from './guards/guard-plan.ts';
import { prove } from './guards/prove.ts';
import { missingFacts, unreadFacts } from './guards/unread-facts.ts';
import { fleetFacts } from './intents/fleet-facts.ts';
import { toPendingInstall, worthRefreshing } from './intents/pending-installs.ts';
import { blockedProblems } from './ordering/name-conflicts.ts';
import { orderPlan } from './ordering/order-plan.ts';
import { actsOfDifferences, withActs } from './ordering/planned-acts.ts';
import { predict } from './ordering/predict.ts';
import { scopeOf, within } from './ordering/scope.ts';
import { countCalls, summarize, tallyOf } from './ordering/tally.ts';
import { hostStatesOf, touchedGroups } from './ordering/touched-groups.ts';
import { type Plan, planFormatVersion } from './types/plan.ts';
import { defaultBatchSize, type PlanInputs } from './types/plan-inputs.ts';
import { planUndo } from './undo/undo.ts';

/**
 * Compares the desired state with the fleet, orders what differs, guards it and proves that a second plan would find
 * nothing. It never fails: problems are part of the plan, which can still be rendered.
 */
export function makePlan(inputs: PlanInputs): Plan {
  return makePlanOf(compare(inputs, inputs.observed), inputs);
}

/** The plan of a difference that was found with these inputs. */
export function makePlanOf(whole: Diff, given: PlanInputs): Plan {
  const inputs: PlanInputs = { ...given, facts: fleetFacts(given, given.observed) };
  const { desired, observed, batchSize = defaultBatchSize } = inputs;
  const scope = scopeOf(whole, inputs);
  const difference = within(scope, whole);
  const { changes, pendingInstalls } = difference;
  const { ordering, steps, forecast } = orderPlan(difference, inputs);
  const refreshed = worthRefreshing(pendingInstalls).map(({ host }) => host);
  const tally = tallyOf(changes, refreshed.length);
  const summary = summarize(whole, difference, tally, ordering, observed);
  const guarded = guardPlan(inputs, difference, summary);
  const predicted = once(() => predict(observed, steps()));
  const problems = [
    ...(given.facts === undefined ? missingFacts(desired) : []),
    ...unreadFacts(inputs, difference),
    ...difference.problems,
    ...blockedProblems(desired, changes, ordering, inputs.skipBlocked ?? false),
    ...prove(inputs, { difference, scope, ordering, predicted }),
    ...guarded.problems,
  ];
  const acts = { [Symbol.iterator]: () => actsOfDifferences(changes, ordering.blocked, desired) };
  const groups = once(() => touchedGroups(acts, refreshed, observed));
  const hostStates = once(() => hostStatesOf(acts, observed));
  const undo = once(() => planUndo(steps()));
  const plan: Plan = {
    formatVersion: planFormatVersion,
    account: inputs.account,
    files: desired.files,
    ...plannedTables(desired, changes),
    ...(difference.numbers.length === 0 ? {} : { numbers: difference.numbers }),
    ...(inputs.ticket === undefined ? {} : { ticket: inputs.ticket }),
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
    pendingInstalls: pendingInstalls.map(toPendingInstall),
    problems,
    limits: guarded.limits,
    breaches: guarded.breaches,
    acks: inputs.acks ?? {},
    applicable: !hasErrors(problems),
    deleteFirst: inputs.deleteFirst ?? false,
    batchSize,
    summary,
    calls: countCalls(tally, ordering, batchSize),
    get undo() {
      return undo();
    },
    partial: inputs.target !== undefined || inputs.exclude !== undefined,
    ...(guarded.constraints === undefined ? {} : { constraints: guarded.constraints }),
    ...(forecast === undefined ? {} : { forecast }),
  };
  return withActs(plan, acts);
}
