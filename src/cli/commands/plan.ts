import type { AccountConfig } from '../../accounts/config/account-config.ts';
import { problem } from '../../core/problem/problem.ts';
import { type ExitCode, exitCodes, exitForPlan } from '../../run/apply/exit-code.ts';
import { planAccounts } from '../accounts/plan-accounts.ts';
import { type PlanFlags, planOnce } from '../planning/plan-once.ts';
import { printInFormat, savePlan } from '../planning/print-review.ts';
import { readBaseState, readDesiredState } from '../planning/read-desired-state.ts';
import { accountWords, type Context } from '../shell/context.ts';

/** Compares the desired state with the fleet and shows what an apply would do. Sends only GET requests. */
export async function plan(context: Context, flags: PlanFlags): Promise<ExitCode> {
  if (flags.sign === true && flags.out === undefined) return context.fail([needsOut]);
  const accounts = severalAccounts(context, flags);
  if (accounts !== undefined) return planSeveral(context, accounts, flags);
  const isForAccount = (flags.accountAcks ?? []).some(({ account }) => account !== undefined);
  return isForAccount ? context.fail([needsSeveral]) : planOne(context, flags);
}

const needsSeveral = problem('usage', '--ack ACCOUNT:KIND=COUNT is for several accounts', {
  hint: 'select accounts with --accounts, or approve with --ack KIND=COUNT',
});

/** The accounts whose plans make one review; undefined for the plan of one account. A folder always gets an index. */
function severalAccounts(
  { account, accounts }: Context,
  { out }: PlanFlags,
): readonly AccountConfig[] | undefined {
  return account !== undefined && out?.endsWith('/') === true ? [account] : accounts;
}

const needsOut = problem('usage', '--sign signs a saved plan', { hint: 'add --out FILE' });

async function planSeveral(
  context: Context,
  accounts: readonly AccountConfig[],
  flags: PlanFlags,
): Promise<ExitCode> {
  const code = await planAccounts(context, accounts, flags);
  return (await failureToSign(context, flags)) ?? code;
}

/** Undefined if the plan was signed, or must not be. */
async function failureToSign(context: Context, flags: PlanFlags): Promise<ExitCode | undefined> {
  const { sign: isAsked, out } = flags;
  if (isAsked !== true || out === undefined) return undefined;
  const { sign } = await import('./sign.ts');
  const code = await sign(
    { ...context, print: (text) => context.log(text.trimEnd()), printJson: () => {} },
    {},
    out,
  );
  return code === exitCodes.success ? undefined : code;
}

async function planOne(context: Context, flags: PlanFlags): Promise<ExitCode> {
  const { file = [], base } = flags;
  const made = await planOnce(context, flags, {
    desired: () => readDesiredState(file, context),
    ...(base === undefined ? {} : { base: () => readBaseState(base, file, context) }),
    report: context.report,
  });
  if (!made.ok) return context.fail(made.problems);

  if (flags.out !== undefined) {
    const saved = await savePlan(context, made.value, flags.out);
    if (!saved.ok) return context.fail(saved.problems);
    const unsigned = await failureToSign(context, flags);
    if (unsigned !== undefined) return unsigned;
  }
  await printInFormat(made.value, context, flags);
  if (flags.out !== undefined) {
    context.log(
      made.value.applicable
        ? `Saved the plan to ${flags.out}. Apply it with: rampart apply ${flags.out}${accountWords(context)}`
        : `Saved the plan to ${flags.out}. It can't be applied: see its errors.`,
    );
  }
  return exitForPlan(made.value, { detailed: flags.detailedExitcode ?? false });
}
