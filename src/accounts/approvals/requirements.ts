import { acknowledge } from '../../core/plan/guards/guard.ts';
import { isTimeProblem } from '../../core/plan/guards/time-problems.ts';
import type { AckKind, Acks, Plan } from '../../core/plan/types/plan.ts';

/** What the operator requires of an approval, for one account. */
export interface ApprovalPolicy {
  /** How many people must approve, 1 or more. */
  readonly approvals: number;
  /** The author of the commit may not approve. */
  readonly notAuthor: boolean;
  /** How long a plan can be approved after it was made. */
  readonly expiresAfterMs: number;
}

/** A limit that the plan exceeds. The approval must repeat `value` exactly, as `--ack` does. */
export interface RequiredNumber {
  readonly limit: AckKind;
  readonly value: number;
  readonly allowed: number;
}

/** What approvals of one plan must fulfill. It is saved with the plan, so later settings do not weaken it. */
export interface Requirements {
  readonly approvals: number;
  readonly notAuthor: boolean;
  readonly numbers: readonly RequiredNumber[];
  /** An RFC 3339 time. */
  readonly expiresAt: string;
  /** An error of the plan that no approval lifts; null if there is none. */
  readonly blocked: string | null;
  /** The authors of the open plans that it replaced: their changes may still be in it. Absent if there are none. */
  readonly earlierAuthors?: readonly string[];
}

export function requirementsOf(plan: Plan, policy: ApprovalPolicy): Requirements {
  const numbers = requiredNumbers(plan);
  return {
    approvals: Math.max(1, Math.trunc(policy.approvals)),
    notAuthor: policy.notAuthor,
    numbers,
    expiresAt: new Date(Date.parse(plan.createdAt) + policy.expiresAfterMs).toISOString(),
    blocked: blockedBy(plan, numbers),
  };
}

/**
 * An error of the plan that no approval lifts; null if there is none. A run waits until errors that depend on the time
 * have passed.
 */
export function blockedBy(plan: Plan, numbers = requiredNumbers(plan)): string | null {
  const { problems } = acknowledge(plan, acksOf(numbers));
  return problems.find((each) => each.severity === 'error' && !isTimeProblem(each))?.message ?? null;
}

/** The limits that `--ack` would have to lift. The limit of a group and missing hosts are not among them. */
function requiredNumbers({ breaches }: Plan): readonly RequiredNumber[] {
  return breaches.flatMap(({ limit, group, count, allowed }): readonly RequiredNumber[] =>
    limit === 'missing' || group !== undefined ? [] : [{ limit, value: count, allowed }],
  );
}

/** The approvals for `acknowledge`, before the approved plan is applied. */
function acksOf(numbers: readonly RequiredNumber[]): Acks {
  return Object.fromEntries(numbers.map(({ limit, value }) => [limit, value]));
}
