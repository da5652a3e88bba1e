import { type InstallOptions } from '../../accounts/engine/planning.ts';
import { equalAccounts } from '../../core/model/account.ts';
import type { Plan } from '../../core/plan/types/plan.ts';
import { failed, ok, problem } from '../../core/problem/problem.ts';
import { recallForCommand } from '../planning/planning.ts';
import type { PlanSource } from '../running/carry-out.ts';
import type { Context } from '../shell/context.ts';

/** A saved plan for the account that it was made for. */
export function savedPlan(context: Context, plan: Plan, flags: InstallOptions = {}): PlanSource {
  return async ({ account }) => {
    if (equalAccounts(account, plan.account)) {
      const recalled = await recallForCommand(context, account, flags);
      return recalled.ok ? ok({ plan, installs: recalled.value.installs }) : recalled;
    }
    const whose = `account ${plan.account.companyId ?? 'unknown'} at ${plan.account.service}`;
    return failed(
      problem('other-account', `the plan is for ${whose}`, {
        hint: 'choose the correct --account, or plan again',
      }),
    );
  };
}
