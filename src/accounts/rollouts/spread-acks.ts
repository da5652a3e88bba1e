import { count } from '../../core/lib/words.ts';
import type { AckKind, Acks } from '../../core/plan/types/plan.ts';
import { failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';

/** `--ack delete=28` for all accounts together, or `--ack berlin:delete=3` for one. */
export interface AccountAck {
  readonly account?: string;
  readonly kind: AckKind;
  readonly count: number;
}

/** How many changes of each kind the plan of an account has. */
export interface AccountCounts {
  readonly account: string;
  readonly counts: Readonly<Record<AckKind, number>>;
}

/**
 * The approvals of each account. An approval for the sum must be the exact number of changes in all plans, and then each
 * account is approved with its own number; an approval for one account must be exact in it. One kind can't be approved
 * both ways.
 */
export function spreadAcks(
  acks: readonly AccountAck[],
  plans: readonly AccountCounts[],
): Result<ReadonlyMap<string, Acks>> {
  const problems: Problem[] = [];
  const approved = new Map<string, Acks>();
  const approve = (account: string, kind: AckKind, count: number) =>
    approved.set(account, { ...approved.get(account), [kind]: count });
  const byName = new Map(plans.map((each) => [each.account, each]));
  for (const { account, kind, count } of acks) {
    if (account === undefined) {
      const sum = plans.reduce((total, { counts }) => total + counts[kind], 0);
      if (acks.some((other) => other.account !== undefined && other.kind === kind))
        problems.push(
          problem('usage', `--ack approves ${kind} both for all accounts and for single accounts`, {
            hint: 'use one of the two',
          }),
        );
      else if (sum === count) {
        for (const each of plans) if (each.counts[kind] > 0) approve(each.account, kind, each.counts[kind]);
      } else problems.push(mismatch(`--ack ${kind}=${count}`, 'the plans have', sum));
      continue;
    }
    const plan = byName.get(account);
    const flag = `--ack ${account}:${kind}=${count}`;
    if (plan === undefined)
      problems.push(problem('usage', `${flag} names an account that has no plan with changes`));
    else if (plan.counts[kind] === count) approve(account, kind, count);
    else problems.push(mismatch(flag, `the plan of ${account} has`, plan.counts[kind]));
  }
  return problems.length > 0 ? failed(...problems) : ok(approved);
}

function mismatch(flag: string, whose: string, changes: number): Problem {
  const of = count(changes, 'change');
  return problem('ack-mismatch', `${flag} does not match: ${whose} ${of} of this kind`, {
    hint: 'review the plans again before you approve another number',
  });
}
