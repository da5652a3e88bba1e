import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AccountConfig } from '../../accounts/config/account-config.ts';
import { unforeseen } from '../../accounts/engine/unforeseen.ts';
import { createPlansFolder, type PlansFolder } from '../../accounts/plans/create-plans-folder.ts';
import { toPlansIndex } from '../../accounts/plans/plans-index.ts';
import { type PlannedAccount, reportAccount } from '../../accounts/plans/report-account.ts';
import { reviewAccounts } from '../../accounts/plans/review-accounts.ts';
import { type AccountAck, spreadAcks } from '../../accounts/rollouts/spread-acks.ts';
import { once } from '../../core/lib/once.ts';
import { count } from '../../core/lib/words.ts';
import { acknowledge } from '../../core/plan/guards/guard.ts';
import { failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import { createDesiredLoader } from '../../input/load-desired.ts';
import type { AccountReport } from '../../output/review/account-report.ts';
import { type ExitCode, exitCodeOf, exitForPlan, exitOverAccounts } from '../../run/apply/exit-code.ts';
import { type PlanFlags, planOnce } from '../planning/plan-once.ts';
import { printPlans } from '../planning/print-plans.ts';
import { loadOptions, readBaseState, readDesiredState } from '../planning/read-desired-state.ts';
import { type Context, hearStop } from '../shell/context.ts';
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
  const acks = flags.accountAcks ?? [];
  // Approvals of a sum need all plans, and memory has no room for them.
  const scratch =
    flags.out === undefined && acks.length > 0 ? await mkdtemp(join(tmpdir(), 'rampart-plans-')) : undefined;
  try {
    return await planInto(context, accounts, flags, scratch ?? flags.out);
  } finally {
    if (scratch !== undefined) await rm(scratch, { recursive: true, force: true });
  }
}

async function planInto(
  context: Context,
  accounts: readonly AccountConfig[],
  given: PlanFlags,
  path: string | undefined,
): Promise<ExitCode> {
  const { accountAcks: acks = [] } = given;
  // No account is approved before the sum is known.
  const flags: PlanFlags = { ...given, ack: {} };
  const names = accounts.map(({ name }) => name);
  const folder = path === undefined ? undefined : await createPlansFolder(context.path(path), path, names);
  if (folder?.ok === false) return context.fail(folder.problems);
  const warnings = new Map<string, readonly Problem[]>();

  const { file } = flags;
  const before = flags.base ?? context.settings.changedSince;
  const base = before === undefined ? undefined : baseFor(before, accounts, file ?? []);
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
  const hide = context.live.show(() => `planned ${done} of ${count(accounts.length, 'account')}`, 'first');
  const planned = await inParallel(accounts, context.settings.parallel, async (account) => {
    const report = stop.signal.aborted
      ? reportAccount(withoutPlan(account, [notPlanned]))
      : await planAccount(sharing, account, {
          flags,
          base,
          stop: stop.signal,
          folder: folder?.value,
          warnings,
        });
    done += 1;
    context.live.redraw();
    return report;
  });
  hide();
  stop.end();
  const approved =
    acks.length === 0 || folder === undefined
      ? ok(planned)
      : await approvePlans(planned, {
          acks,
          folder: folder.value,
          problemsOf: (name) => warnings.get(name) ?? [],
          redact: context.redaction.redact,
          detailed: flags.detailedExitcode === true,
        });
  const reports = approved.ok ? approved.value : planned;

  const { accountNames, accountsWhere } = context.settings;
  const codes = [
    ...reports.map((each) => each.exit_code),
    ...(approved.ok ? [] : [context.fail(approved.problems)]),
  ];
  const review = reviewAccounts(reports, {
    createdAt: new Date(context.io.clock.now()).toISOString(),
    selector: { names: accountNames, where: accountsWhere ?? null },
    interrupted: stop.signal.aborted,
    exitCode: exitOverAccounts(codes),
  });
  // Most formats print no index, and sealing one of many accounts takes as long as planning some of them.
  const index = once(() => toPlansIndex(review));
  const saved = await folder?.value.saveIndex(index());
  if (saved?.ok === false) return context.fail(saved.problems);
  await printPlans(review, context, flags, index);
  if (flags.out !== undefined)
    context.log(`Saved the plans to ${flags.out}. Show them again with: rampart show ${flags.out}`);
  return exitOverAccounts(codes);
}

function misuseOf({ observed }: PlanFlags): Problem | undefined {
  if (observed === undefined) return undefined;
  return problem('usage', '--observed is a snapshot of one account, but several can be selected', {
    hint: 'name one account: --account NAME',
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
  /** Gets the problems of accounts in addition to those of their plans. */
  readonly warnings: Map<string, readonly Problem[]>;
}

/** Never rejects: a defect in the planning of one account is a failure of that account. */
async function planAccount(
  context: Context,
  account: AccountConfig,
  { flags, base, stop, folder, warnings }: Planning,
): Promise<AccountReport> {
  const own = contextOf(context, account, {
    stderr: { ...context.io.stderr, isTerminal: false, columns: null },
    prompt: async () => null,
    onInterrupt: () => () => {},
  });
  const interrupt = () => own.cutoff.interrupt();
  stop.addEventListener('abort', interrupt);
  try {
    const planned = await plannedAccount(own, account, { flags, base, folder });
    if (planned.problems.length > 0) warnings.set(account.name, planned.problems);
    return reportAccount(planned, context.redaction.redact);
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
  { flags, base, folder }: Pick<Planning, 'flags' | 'base' | 'folder'>,
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

interface ApprovalParts {
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
async function approvePlans(
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
