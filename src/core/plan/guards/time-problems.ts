import { type ChangeWindow, firstOpening, isOpen } from '../../model/change-window.ts';
import { parseChangeWindow } from '../../model/parse-change-window.ts';
import { type ChangeKind, changeKinds, type Freeze, type Policy } from '../../model/policy.ts';
import { hasErrors, type Problem, problem } from '../../problem/problem.ts';
import type { Constraints, Plan, PlannedWindow } from '../types/plan.ts';
import { changeNouns } from './guard.ts';

const timeCodes: ReadonlySet<string> = new Set(['outside-window', 'frozen']);

/** Whether a problem passes with time: a window is closed, or changes are frozen. */
export function isTimeProblem({ code }: Problem): boolean {
  return timeCodes.has(code);
}

/** The policy's time constraints for these kinds of change; undefined if there are none. */
export function constraintsOf(
  policy: Pick<Policy, 'windows' | 'freezes'>,
  kinds: ReadonlySet<ChangeKind>,
): Constraints | undefined {
  if (kinds.size === 0) return undefined;
  const windows = policy.windows.flatMap(({ kinds: own = changeKinds, only, ...window }): PlannedWindow[] => {
    const concerned = own.filter((kind) => kinds.has(kind));
    return concerned.length === 0
      ? []
      : [{ ...window, kinds: concerned, only: only.map(({ source }) => source) }];
  });
  const { freezes } = policy;
  return windows.length === 0 && freezes.length === 0 ? undefined : { windows, freezes };
}

/** Why a plan can't be applied at this time (RFC 3339). */
export function timeProblems({ constraints }: Pick<Plan, 'constraints'>, now: string): readonly Problem[] {
  if (constraints === undefined) return [];
  return [
    ...constraints.freezes.filter((freeze) => isFrozen(freeze, now)).map(freezeProblem),
    ...constraints.windows.flatMap((window) => windowProblem(window, now)),
  ];
}

/**
 * The same plan at the time of its apply: windows that were closed when it was made may be open now, and the reverse.
 */
export function atTime(plan: Plan, now: string): Plan {
  if (plan.constraints === undefined) return plan;
  const problems = [...plan.problems.filter((each) => !isTimeProblem(each)), ...timeProblems(plan, now)];
  return { ...plan, problems, applicable: !hasErrors(problems) };
}

/** Whether a freeze holds at a time (RFC 3339). */
export function isFrozen({ from, until }: Freeze, now: string): boolean {
  const time = Date.parse(now);
  return (
    (from === undefined || Date.parse(from) <= time) && (until === undefined || time < Date.parse(until))
  );
}

function freezeProblem({ name, until, message, place }: Freeze): Problem {
  const end =
    until === undefined
      ? 'no change is allowed while this freeze is in the file'
      : `no change is allowed before ${until}`;
  return problem('frozen', `${message ?? 'the fleet is frozen'}: ${end} (freeze "${name}")`, {
    place,
    hint: 'no flag overrides a freeze: wait, or change the freeze and have it reviewed',
    policy: name,
  });
}

function windowProblem(window: PlannedWindow, now: string): readonly Problem[] {
  const { name, kinds, only, message, place } = window;
  const hours = only.flatMap((source): ChangeWindow[] => {
    const parsed = parseChangeWindow(source);
    return parsed.ok ? [parsed.window] : [];
  });
  if (hours.some((each) => isOpen(each, now))) return [];
  const what = kinds.map((kind) => changeNouns[kind]).join(' and ');
  const text = `${message ?? 'changes are not allowed now'}: ${what} must wait for ${only.join(' or ')} (window "${name}")`;
  const opening = firstOpening(hours, now);
  return [
    problem('outside-window', text, {
      place,
      policy: name,
      ...(opening === undefined ? {} : { hint: `opens ${opening}` }),
    }),
  ];
}
