import type { AccountConfig } from '../../../accounts/config/account-config.ts';
import { type ChangeKind, changeKinds } from '../../../core/model/policy.ts';
import { operatorProblems } from '../../../core/plan/guards/operator.ts';
import { constraintsOf, isTimeProblem, timeProblems } from '../../../core/plan/guards/time-problems.ts';
import type { Plan } from '../../../core/plan/types/plan.ts';
import { hasErrors, type Problem } from '../../../core/problem/problem.ts';
import type { ServerSettings } from '../../settings/server-settings.ts';

/**
 * The plan without the problems of the time at which it was made. Its checksum is then the same inside and outside of
 * windows, so that an approval given while a window is closed is valid when it opens. The windows are kept in the plan.
 */
export function withoutTime(plan: Plan): Plan {
  const problems = plan.problems.filter((each) => !isTimeProblem(each));
  return problems.length === plan.problems.length
    ? plan
    : { ...plan, problems, applicable: !hasErrors(problems) };
}

/**
 * Why the plan can't be applied at this time (RFC 3339): a window of the desired state, of the account or of the server
 * is closed, or changes are frozen. Undefined if nothing prevents it. The hint contains the end.
 */
export function closedWindow(
  plan: Plan,
  account: AccountConfig,
  { windows, freezes }: Pick<ServerSettings, 'windows' | 'freezes'>,
  now: string,
): Problem | undefined {
  const kinds = new Set<ChangeKind>(changeKinds.filter((kind) => plan.summary[kind] > 0));
  const constraints = constraintsOf({ windows, freezes }, kinds);
  const closed = [
    ...timeProblems(plan, now),
    ...operatorProblems(plan, account, now),
    ...timeProblems(constraints === undefined ? {} : { constraints }, now),
  ].find(isTimeProblem);
  if (closed?.code !== 'frozen') return closed;
  const until = [...(plan.constraints?.freezes ?? []), ...freezes].find(
    ({ name }) => name === closed.policy,
  )?.until;
  return { ...closed, hint: until === undefined ? 'the freeze has no end' : `ends ${until}` };
}
