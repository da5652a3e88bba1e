import { type Connection } from '../../../control/engine/connection.ts';
import { type ExitCode, exitForPlan } from '../../../control/engine/exit-code.ts';
import type { Account } from '../../../core/model/account.ts';
import { planPieces } from '../../../core/plan/document/plan-document.ts';
import { underOperator } from '../../../core/plan/guards/operator.ts';
import { makePlan } from '../../../core/plan/make-plan.ts';
import type { Acks } from '../../../core/plan/types/constraints.ts';
import type { Plan } from '../../../core/plan/types/plan.ts';
import { undoDesired } from '../../../core/plan/undo/undo-desired.ts';
import { problem } from '../../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../../core/problem/result.ts';
import type { State } from '../../../run/state/interface/state.ts';
import { hostHistories } from '../../../run/state/journal/host-histories.ts';
import { isSameAccount } from '../../../run/state/journal/record.ts';
import { replay } from '../../../run/state/journal/replay.ts';
import { digestOf, fleetSizeAfter } from '../../../run/state/journal/run-digest.ts';
import { printReview } from '../planning/print-review.ts';
import { type CarryOutFlags, carryOut, type Prepared, readOnlyProblem } from '../running/carry-out.ts';
import { withConnection } from '../service/read-fleet.ts';
import type { Context } from '../shell/context.ts';
import { writeWhole } from '../shell/files.ts';

export interface UndoFlags extends CarryOutFlags {
  readonly ack?: Acks;
  /** Save the plan instead of applying it. */
  readonly out?: string;
}

/** Plans the reversal of a run from its journal; by default, of the latest run of this account. */
export async function undo(context: Context, flags: UndoFlags, runId?: string): Promise<ExitCode> {
  if (flags.out !== undefined) return savePlan(context, flags, flags.out, runId);
  const readOnly = readOnlyProblem(context);
  if (readOnly !== undefined) return context.fail([readOnly]);
  return carryOut(context, { ...flags, command: 'undo' }, (connection) =>
    prepare(context, connection, flags, runId),
  );
}

async function savePlan(context: Context, flags: UndoFlags, out: string, runId?: string): Promise<ExitCode> {
  const prepared = await withConnection(context, (connection) => prepare(context, connection, flags, runId));
  if (!prepared.ok) return context.fail(prepared.problems);
  const { plan } = prepared.value;
  const written = await writeWhole(context.path(out), out, planPieces(plan));
  if (!written.ok) return context.fail(written.problems);
  printReview(plan, context);
  context.log(`Saved the plan to ${out}. Apply it with: rampart apply ${out}`);
  return exitForPlan(plan, { detailed: false });
}

async function prepare(
  context: Context,
  { account, reader }: Connection,
  flags: UndoFlags,
  givenId: string | undefined,
): Promise<Result<Prepared>> {
  const state = await context.state.open();
  if (!state.ok) return state;
  const runId = givenId === undefined ? await latestRun(state.value, account) : ok(givenId);
  if (!runId.ok) return runId;
  const run = await state.value.readRun(runId.value);
  if (!run.ok) return run;
  if (!isSameAccount(run.value.head.account, account)) {
    return failed(
      problem('other-account', `run ${runId.value} belongs to another account`, {
        hint: 'list the runs with: rampart runs',
      }),
    );
  }
  const read = await reader.read({ antivirus: false });
  if (!read.ok) return read;
  const { desired, problems } = undoDesired(runId.value, hostHistories(replay(run.value)), read.value);
  const planOn = (observed: typeof read.value): Plan => {
    const now = new Date(context.io.clock.now()).toISOString();
    const lastFleetSize = fleetSizeAfter(digestOf(run.value));
    const operator = context.account;
    const held = operator === undefined ? desired : underOperator(desired, operator, observed.count);
    const plan = makePlan({ desired: held, observed, account, now, acks: flags.ack ?? {}, lastFleetSize });
    return { ...plan, problems: [...problems, ...plan.problems] };
  };
  return ok({ plan: planOn(read.value), observed: read.value, replan: planOn });
}

async function latestRun(state: State, account: Account): Promise<Result<string>> {
  const runs = await state.listRuns({ account });
  if (!runs.ok) return runs;
  const latest = runs.value.find(({ head, lastAt, exitCode }) => exitCode !== null || lastAt !== head.at);
  if (latest !== undefined) return ok(latest.head.run_id);
  return failed(
    problem('usage', 'this account has no run to undo', {
      hint: 'list the runs with: rampart runs; see also --state-dir',
    }),
  );
}
