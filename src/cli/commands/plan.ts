import { rehearse } from '../../apply/rehearse.ts';
import type { Account } from '../../model/account.ts';
import type { Desired } from '../../model/desired.ts';
import type { Observed } from '../../model/observed.ts';
import { readSnapshot } from '../../model/snapshot.ts';
import type { Plan } from '../../plan/plan.ts';
import { printPlan } from '../../plan/plan-document.ts';
import { ok, type Result } from '../../problem/result.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exitForPlan } from '../exit-code.ts';
import { readText, writeWhole } from '../files.ts';
import { asksForAntivirus, checkAccount, createPlanner, type PlanningFlags } from '../planning.ts';
import { printInFormat, type ReviewFlags } from '../print-review.ts';
import { readDesiredState } from '../read-desired-state.ts';
import { withConnection } from '../read-fleet.ts';

export interface PlanFlags extends PlanningFlags, ReviewFlags {
  readonly out?: string;
  readonly detailedExitcode?: true;
  /** A snapshot to plan on, with no credentials. */
  readonly observed?: string;
  readonly rehearse?: true;
}

/** Compares the desired state with the fleet and shows what an apply would do. It sends only GETs. */
export async function plan(context: Context, flags: PlanFlags): Promise<ExitCode> {
  const desired = await readDesiredState(flags.file ?? [], context);
  if (!desired.ok) return context.fail(desired.problems);
  context.report(desired.problems);

  const fleet =
    flags.observed === undefined
      ? await readLive(context, desired.value)
      : await readSaved(context, flags.observed, desired.value);
  if (!fleet.ok) return context.fail(fleet.problems);
  context.report(fleet.problems);
  const { account, observed } = fleet.value;
  const bare = (await createPlanner(context, desired.value, flags, account))(observed);
  if (!bare.ok) return context.fail(bare.problems);
  const made = flags.rehearse === true ? await rehearsed(bare.value, observed) : bare.value;

  if (flags.out !== undefined) {
    const written = await writeWhole(context.path(flags.out), flags.out, printPlan(made));
    if (!written.ok) return context.fail(written.problems);
  }
  printInFormat(made, context, flags);
  if (flags.out !== undefined) {
    context.tell(
      made.applicable
        ? `The plan is in ${flags.out}: rampart apply ${flags.out}`
        : `The plan is in ${flags.out}, and can't be applied as it is: see the errors`,
    );
  }
  return exitForPlan(made, { detailed: flags.detailedExitcode ?? false });
}

interface Fleet {
  readonly account: Account;
  readonly observed: Observed;
}

function readLive(context: Context, desired: Desired): Promise<Result<Fleet>> {
  return withConnection(context, async ({ account, reader }) => {
    const matches = checkAccount(desired, account);
    if (!matches.ok) return matches;
    const read = await reader.read({ antivirus: asksForAntivirus(desired) });
    return read.ok ? ok({ account, observed: read.value }) : read;
  });
}

async function readSaved(context: Context, file: string, desired: Desired): Promise<Result<Fleet>> {
  const text = await readText(context.path(file), file);
  if (!text.ok) return text;
  const snapshot = readSnapshot(text.value, file);
  if (!snapshot.ok) return snapshot;
  const matches = checkAccount(desired, snapshot.value.account);
  return matches.ok ? snapshot : matches;
}

async function rehearsed(bare: Plan, observed: Observed): Promise<Plan> {
  const pace = bare.forecast?.pace;
  return { ...bare, rehearsal: await rehearse(bare, observed, pace === undefined ? {} : { pace }) };
}
