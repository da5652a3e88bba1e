import type { PlanDetail, PlanRow } from '../../../api/plans.ts';
import { parseJson } from '../../../core/lib/parse-json.ts';
import { capitalized, sentence } from '../../../output/components/numbers.ts';
import { changeNoun } from './change-words.ts';

/** The numbers as the reader typed them, by limit. */
export type TypedNumbers = Readonly<Record<string, string>>;

/** The numbers that a draft holds. */
export function typedNumbers(draft: string): TypedNumbers {
  return (parseJson(draft) ?? {}) as TypedNumbers;
}

/** Whether the reader may decide on a plan now. `reasons` says what is missing, worst first. */
export interface MayDecide {
  readonly isAllowed: boolean;
  readonly reasons: readonly string[];
}

/** Why Approve is disabled. The server checks all of it again. */
export function approvalOf(plan: PlanRow, typed: TypedNumbers, now: number): MayDecide {
  const closed = closedReason(plan, now);
  if (closed !== null && !isReplaced(plan, now)) return { isAllowed: false, reasons: [closed] };
  const refused = plan.may_approve.allowed
    ? []
    : [
        capitalized(
          sentence(plan.may_approve.reason ?? 'Your roles do not allow approving plans of this account'),
        ),
      ];
  // Numbers matter only to a reader who may approve.
  const reasons = refused.length > 0 ? refused : numberReasons(plan, typed);
  return { isAllowed: reasons.length === 0, reasons };
}

/**
 * Whether a check has replaced the plan, and the reader may still approve it: the approval is for the changes that the newer
 * plan has too.
 */
export function isReplaced({ state, replaced_by, expires_at, may_approve }: PlanRow, now: number): boolean {
  return state === 'stale' && replaced_by !== null && may_approve.allowed && Date.parse(expires_at) > now;
}

/** Why Reject is disabled. Rejecting needs no numbers. */
export function rejectionOf(plan: PlanRow, canReject: boolean, now: number): MayDecide {
  const closed = closedReason(plan, now);
  if (closed !== null) return { isAllowed: false, reasons: [closed] };
  if (!canReject)
    return { isAllowed: false, reasons: ['Your roles do not allow rejecting plans of this account.'] };
  return { isAllowed: true, reasons: [] };
}

/** The numbers to send: only those that were typed exactly. */
export function numbersAsTyped(
  plan: Pick<PlanDetail, 'required'>,
  typed: TypedNumbers,
): Record<string, number> {
  return Object.fromEntries(
    plan.required.numbers
      .filter(({ limit, value }) => isExact(typed[limit], value))
      .map(({ limit, value }) => [limit, value]),
  );
}

/** Is it the number itself, in plain digits? */
export function isExact(typed: string | undefined, value: number): boolean {
  return typed?.trim() === String(value);
}

/** Why nobody can decide on the plan anymore; null while it waits. */
export function closedReason({ state, reason, expires_at }: PlanRow, now: number): string | null {
  switch (state) {
    case 'waiting':
      return Date.parse(expires_at) <= now ? 'This plan has expired.' : null;
    case 'approved':
      return 'This plan has all the approvals that it needs.';
    case 'running':
      return 'This plan is being applied.';
    case 'done':
      return 'This plan was applied.';
    case 'rejected':
      return 'This plan was rejected.';
    case 'stale':
      return `This plan is stale${because(reason)}`;
    case 'expired':
      return `This plan has expired${because(reason)}`;
  }
}

function numberReasons({ required }: PlanRow, typed: TypedNumbers): readonly string[] {
  return required.numbers.flatMap(({ limit, value }) => {
    const given = typed[limit]?.trim() ?? '';
    if (given === '') return [`Type the number of ${changeNoun(limit)}.`];
    return isExact(given, value) ? [] : [`The number of ${changeNoun(limit)} is not ${given}.`];
  });
}

function because(reason: string | null): string {
  return reason === null || reason === '' ? '.' : `: ${sentence(reason)}`;
}
