import { nearest } from '../../lib/words.ts';
import type { Observed } from '../../model/observed.ts';
import type { ChangePattern, PlanExpectation, ProblemPattern } from '../../model/plan-expectation.ts';
import type { Policy } from '../../model/policy.ts';
import type { Place, Problem } from '../../problem/problem.ts';
import { problemCodes } from '../../problem/problem-code.ts';
import { actsOf, type PlannedAct } from '../ordering/planned-acts.ts';
import type { Plan } from '../types/plan.ts';
import { describeAct, describePattern, isMeant, singlePatterns } from './change-patterns.ts';

/** A difference between a plan and its expectation. Host names in it are raw. */
export interface PlanDifference {
  readonly kind: 'missing' | 'unexpected' | 'wrong';
  readonly text: string;
  readonly hint?: string;
  /** The expectation. */
  readonly place: Place;
}

export interface CheckedPlan {
  readonly plan: Plan;
  readonly observed: Observed;
  readonly policy: Policy;
  /** The exit code of `rampart plan`. */
  readonly exit: number;
}

export function checkPlan(expected: PlanExpectation, checked: CheckedPlan): readonly PlanDifference[] {
  const { plan, observed } = checked;
  const acts = actsOf(plan.steps);
  const { changes, includes, never, refused, warnings, summary, exit } = expected;
  const patterns = [...(changes?.all ?? []), ...includes, ...never];
  return [
    ...patterns.flatMap((pattern) => unknownHosts(pattern, observed)),
    ...missing([...(changes?.all ?? []), ...includes], acts),
    ...(changes === undefined ? [] : surplus(changes.all, changes.place, acts)),
    ...never.flatMap((pattern) => forbidden(pattern, acts)),
    ...(refused === undefined ? [] : differentProblems('error', refused, checked)),
    ...(warnings === undefined ? [] : differentProblems('warning', warnings, checked)),
    ...summary.flatMap(({ name, count, place }) =>
      plan.summary[name] === count ? [] : [wrong(`${name} is ${plan.summary[name]}, not ${count}`, place)],
    ),
    ...(exit === undefined || exit.code === checked.exit
      ? []
      : [wrong(`the exit code is ${checked.exit}, not ${exit.code}`, exit.place)]),
  ];
}

function wrong(text: string, place: Place): PlanDifference {
  return { kind: 'wrong', text, place };
}

/** A pattern that names a missing host or group would always or never hold. */
function unknownHosts({ host, move, place }: ChangePattern, observed: Observed): readonly PlanDifference[] {
  const unknown: PlanDifference[] = [];
  if (host?.kind === 'id' && observed.byId(host.id) === undefined) {
    unknown.push(wrong(`the fleet has no host ${host.id}`, place));
  }
  if (host?.kind === 'named' && observed.byName(host.name).length === 0) {
    unknown.push(wrong(`the fleet has no host named "${host.name}"`, place));
  }
  if (move !== 'any' && move?.kind === 'named') {
    const isThere = observed.groups.some(({ name }) => name === move.name);
    if (!isThere) unknown.push(wrong(`the fleet has no group named "${move.name}"`, place));
  }
  return unknown;
}

function missing(patterns: readonly ChangePattern[], acts: readonly PlannedAct[]): readonly PlanDifference[] {
  return patterns
    .flatMap(singlePatterns)
    .filter((pattern) => !acts.some((act) => isMeant(pattern, act)))
    .map((pattern) => ({ kind: 'missing', text: describePattern(pattern), place: pattern.place }));
}

function surplus(
  patterns: readonly ChangePattern[],
  place: Place,
  acts: readonly PlannedAct[],
): readonly PlanDifference[] {
  const single = patterns.flatMap(singlePatterns);
  return acts
    .filter((act) => !single.some((pattern) => isMeant(pattern, act)))
    .map((act) => ({ kind: 'unexpected', text: describeAct(act), place }));
}

function forbidden(pattern: ChangePattern, acts: readonly PlannedAct[]): readonly PlanDifference[] {
  const single = singlePatterns(pattern);
  return acts
    .filter((act) => single.some((each) => isMeant(each, act)))
    .map((act) => ({ kind: 'unexpected', text: describeAct(act), place: pattern.place }));
}

function differentProblems(
  severity: 'error' | 'warning',
  { all, place }: { readonly all: readonly ProblemPattern[]; readonly place: Place },
  { plan, policy }: CheckedPlan,
): readonly PlanDifference[] {
  const problems = plan.problems.filter((each) => each.severity === severity);
  const means = ({ word }: ProblemPattern, each: Problem) => word === each.policy || word === each.code;
  const absent = all
    .filter((pattern) => !problems.some((each) => means(pattern, each)))
    .map(({ word, place: at }): PlanDifference => {
      const [near] = namesOf(policy).includes(word) ? [] : nearest(word, namesOf(policy));
      const text = `${severity} "${word}"`;
      return {
        kind: 'missing',
        text,
        place: at,
        ...(near === undefined ? {} : { hint: `did you mean "${near}"?` }),
      };
    });
  const others = problems
    .filter((each) => !all.some((pattern) => means(pattern, each)))
    .map(
      ({ code, message }): PlanDifference => ({
        kind: 'unexpected',
        text: `${severity} "${code}": ${message}`,
        place,
      }),
    );
  return [...absent, ...others];
}

function namesOf({ protect, changes, windows, freezes }: Policy): readonly string[] {
  const policies = [...protect, ...changes, ...windows, ...freezes].map(({ name }) => name);
  return [...policies, ...Object.values(problemCodes).flat()];
}
