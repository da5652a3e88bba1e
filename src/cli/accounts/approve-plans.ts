import type { PlansFolder } from '../../accounts/plans/create-plans-folder.ts';
import { type PlannedAccount, reportAccount } from '../../accounts/plans/report-account.ts';
import { type AccountAck, spreadAcks } from '../../accounts/rollouts/spread-acks.ts';
import { acknowledge } from '../../core/plan/guards/guard.ts';
import { failed, ok, type Result } from '../../core/problem/problem.ts';
import type { AccountReport } from '../../output/review/account-report.ts';
import { exitForPlan } from '../../run/apply/exit-code.ts';

export interface ApprovalParts {
  readonly acks: readonly AccountAck[];
  /** Holds the plan of each account. */
  readonly folder: PlansFolder;
  /** The problems of an account in addition to those of its plan. */
  readonly problemsOf: (account: string) => PlannedAccount['problems'];
  /** Removes secrets from messages. */
  readonly redact: (text: string) => string;
  readonly detailed: boolean;
}

/**
 * The reports with the approvals of changes over limits: for the sum over all accounts, or for one account. Each must be
 * exact. The approved plans are saved again. Fails if an approval is not exact.
 */
export async function approvePlans(
  reports: readonly AccountReport[],
  { acks, folder, problemsOf, redact, detailed }: ApprovalParts,
): Promise<Result<readonly AccountReport[]>> {
  const spread = spreadAcks(
    acks,
    reports.flatMap(({ account, plan }) =>
      plan === undefined ? [] : [{ account: account.name, counts: plan.summary }],
    ),
  );
  if (!spread.ok) return spread;
  const approved: AccountReport[] = [];
  for (const report of reports) {
    const { name } = report.account;
    const own = spread.value.get(name);
    if (own === undefined) {
      approved.push(report);
      continue;
    }
    const read = await folder.readPlan(name);
    if (!read.ok) return read;
    const plan = acknowledge(read.value, own);
    const file = await folder.savePlan(name, plan);
    if (!file.ok) return failed(...file.problems);
    const problems = problemsOf(name);
    const exitCode = exitForPlan(plan, { detailed });
    const { account } = report;
    approved.push(reportAccount({ account, exitCode, plan, file: file.value, problems }, redact));
  }
  return ok(approved);
}
