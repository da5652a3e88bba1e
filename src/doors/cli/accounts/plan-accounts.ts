import type { AccountConfig } from '../../../control/accounts/account-config.ts';
import {
  type ExitCode,
  exitCodeOf,
  exitForPlan,
  exitOverAccounts,
} from '../../../control/engine/exit-code.ts';
import { unforeseen } from '../../../control/engine/unforeseen.ts';
import { createPlansFolder, type PlansFolder } from '../../../control/plans/create-plans-folder.ts';
import { toPlansIndex } from '../../../control/plans/plans-index.ts';
import { type PlannedAccount, reportAccount } from '../../../control/plans/report-account.ts';
import { reviewAccounts } from '../../../control/plans/review-accounts.ts';
import { type Problem, problem } from '../../../core/problem/problem.ts';
import { ok, type Result } from '../../../core/problem/result.ts';
import { createDesiredLoader } from '../../../input/load-desired.ts';
import type { AccountReport } from '../../../output/review/account-report.ts';
import { count } from '../../../output/review/count.ts';
import { readBaseState } from '../planning/base-state.ts';
import { type PlanFlags, planOnce } from '../planning/plan-once.ts';
import { printPlans } from '../planning/print-plans.ts';
import { loadOptions, readDesiredState } from '../planning/read-desired-state.ts';
import type { Context } from '../shell/context.ts';
import { hearStop } from '../shell/stop-signal.ts';
import { contextOf } from './account-context.ts';
import { inParallel } from './in-parallel.ts';

/**
 * Plans many accounts side by side. Each plan is saved and reduced to a report at once, so that memory does not grow
 * with the accounts. A failure in one account stops no other.
 */
export async function planAccounts(
  context: Context,
  accounts: readonly AccountConfig[],
  flags: PlanFlags,
): Promise<ExitCode> {
  const misuse = misuseOf(flags);
  if (misuse !== undefined) return context.fail([misuse]);
  const names = accounts.map(({ name }) => name);
  const folder =
    flags.out === undefined ? undefined : await createPlansFolder(context.path(flags.out), flags.out, names);
  if (folder?.ok === false) return context.fail(folder.problems);

  const { file } = flags;
  const base = flags.base === undefined ? undefined : baseFor(flags.base, accounts, file ?? []);
  const loadFiles =
    file === undefined
      ? context.loadFiles
      : createDesiredLoader(
          loadOptions(context),
          accounts.map(() => file),
        );
  const sharing: Context = loadFiles === undefined ? context : { ...context, loadFiles };
  const stop = hearStop(context, 'accounts that are planned stay in the review');
  let done = 0;
  const said = context.live.say(() => `planned ${done} of ${count(accounts.length, 'account')}`, 'first');
  const reports = await inParallel(accounts, context.settings.parallel, async (account) => {
    const report = stop.signal.aborted
      ? reportAccount(withoutPlan(account, [notPlanned]))
      : await planAccount(sharing, account, { flags, base, stop: stop.signal, folder: folder?.value });
    done += 1;
    context.live.redraw();
    return report;
  });
  said();
  stop.end();

  const { accountNames, accountsWhere } = context.settings;
  const codes = reports.map((each) => each.exit_code);
  const index = toPlansIndex(
    reviewAccounts(reports, {
      createdAt: new Date(context.io.clock.now()).toISOString(),
      selector: { names: accountNames, where: accountsWhere ?? null },
      interrupted: stop.signal.aborted,
      exitCode: exitOverAccounts(codes),
    }),
  );
  const saved = await folder?.value.saveIndex(index);
  if (saved?.ok === false) return context.fail(saved.problems);
  await printPlans(index, context, flags);
  if (flags.out !== undefined)
    context.log(`Saved the plans to ${flags.out}. Show them again with: rampart show ${flags.out}`);
  return exitOverAccounts(codes);
}

function misuseOf({ observed }: PlanFlags): Problem | undefined {
  if (observed === undefined) return undefined;
  return problem('usage', '--observed is a snapshot of one account, and several are selected', {
    hint: 'select one account: --account NAME',
  });
}

type Base = (own: Context) => ReturnType<typeof readBaseState>;

/** The desired state of the base. Accounts with the same files share it; others do not keep theirs. */
function baseFor(base: string, accounts: readonly AccountConfig[], files: readonly string[]): Base {
  const keyOf = (account: AccountConfig | undefined) =>
    (files.length > 0 ? files : (account?.files ?? [])).join('\n');
  const uses = Map.groupBy(accounts, keyOf);
  const kept = new Map<string, ReturnType<typeof readBaseState>>();
  return (own) => {
    const key = keyOf(own.account);
    const read = kept.get(key) ?? readBaseState(base, files, own);
    if ((uses.get(key)?.length ?? 0) > 1) kept.set(key, read);
    return read;
  };
}

interface Planning {
  readonly flags: PlanFlags;
  readonly base: Base | undefined;
  readonly stop: AbortSignal;
  readonly folder: PlansFolder | undefined;
}

/** Never rejects: a defect in the planning of one account is a failure of that account. */
async function planAccount(
  context: Context,
  account: AccountConfig,
  { flags, base, stop, folder }: Planning,
): Promise<AccountReport> {
  const own = contextOf(context, account, {
    stderr: { ...context.io.stderr, isTerminal: false, columns: null },
    prompt: async () => null,
    onInterrupt: () => () => {},
  });
  const interrupt = () => own.cutoff.interrupt();
  stop.addEventListener('abort', interrupt);
  try {
    const planned = await plannedAccount(own, account, { flags, base, stop, folder });
    const { redact } = context.redaction;
    // Messages may quote the service, and the index is a file, which no stream redacts.
    const problems = (each: readonly Problem[]) => each.map((one) => redacted(one, redact));
    return reportAccount({
      ...planned,
      problems: problems(planned.problems),
      ...(planned.plan === undefined
        ? {}
        : { plan: { ...planned.plan, problems: problems(planned.plan.problems) } }),
    });
  } catch (error) {
    return reportAccount(withoutPlan(account, [unforeseen(error)]));
  } finally {
    stop.removeEventListener('abort', interrupt);
    await own.state.close();
  }
}

async function plannedAccount(
  own: Context,
  account: AccountConfig,
  { flags, base, folder }: Planning,
): Promise<PlannedAccount> {
  const warnings: Problem[] = [];
  const { file: given = [], detailedExitcode = false } = flags;
  const made = await planOnce(own, flags, {
    desired: () => readDesiredState(given, own),
    ...(base === undefined ? {} : { base: () => base(own) }),
    report: (problems) => warnings.push(...problems),
  });
  if (!made.ok) return withoutPlan(account, [...made.problems, ...warnings]);
  const plan = made.value;
  const file = await save(folder, account.name, plan);
  if (!file.ok) return withoutPlan(account, [...file.problems, ...warnings]);
  const { companyId, service } = plan.account;
  return {
    account: { ...headOf(account), company_id: companyId, service },
    exitCode: exitForPlan(plan, { detailed: detailedExitcode }),
    plan,
    ...(file.value === undefined ? {} : { file: file.value }),
    problems: warnings,
  };
}

async function save(
  folder: PlansFolder | undefined,
  name: string,
  plan: NonNullable<PlannedAccount['plan']>,
): Promise<Result<PlannedAccount['file'] | undefined>> {
  return folder === undefined ? ok(undefined) : folder.savePlan(name, plan);
}

function withoutPlan(account: AccountConfig, problems: readonly Problem[]): PlannedAccount {
  return { account: headOf(account), exitCode: exitCodeOf(problems), problems };
}

function headOf({ name, companyId, labels }: AccountConfig): AccountReport['account'] {
  return { name, company_id: companyId ?? null, service: null, labels: { ...labels } };
}

const notPlanned = problem('cancelled', 'planning was stopped before this account was planned');

function redacted({ message, hint, ...rest }: Problem, redact: (text: string) => string): Problem {
  return { ...rest, message: redact(message), ...(hint === undefined ? {} : { hint: redact(hint) }) };
}
