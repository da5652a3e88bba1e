import { type Connection } from '../../accounts/engine/connection.ts';
import { planUndoOfRun, type UndoPlan } from '../../accounts/engine/plan-undo.ts';
import { planPieces } from '../../core/plan/document/plan-document.ts';
import type { Acks } from '../../core/plan/types/plan.ts';
import type { Result } from '../../core/problem/problem.ts';
import { type ExitCode, exitCodes, exitForPlan } from '../../run/apply/exit-code.ts';
import { printReview } from '../planning/print-review.ts';
import { type CarryOutFlags, carryOut, readOnlyProblem } from '../running/carry-out.ts';
import { withConnection } from '../service/read-fleet.ts';
import { offerPatch, type UndonePlan } from '../setup/offer-patch.ts';
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
  let undone: UndonePlan | undefined;
  const code = await carryOut(context, { ...flags, command: 'undo' }, async (connection) => {
    const prepared = await prepare(context, connection, flags, runId);
    if (prepared.ok) undone = { plan: prepared.value.plan, account: connection.account };
    return prepared;
  });
  if (undone !== undefined && code === exitCodes.success) await offerPatch(context, undone);
  return code;
}

async function savePlan(context: Context, flags: UndoFlags, out: string, runId?: string): Promise<ExitCode> {
  const prepared = await withConnection(context, (connection) => prepare(context, connection, flags, runId));
  if (!prepared.ok) return context.fail(prepared.problems);
  const { plan } = prepared.value;
  const written = await writeWhole(context.path(out), out, planPieces(plan));
  if (!written.ok) return context.fail(written.problems);
  printReview(plan, context, flags);
  context.log(`Saved the plan to ${out}. Apply it with: rampart apply ${out}`);
  return exitForPlan(plan, { detailed: false });
}

async function prepare(
  context: Context,
  connection: Connection,
  { ack }: UndoFlags,
  runId: string | undefined,
): Promise<Result<UndoPlan>> {
  const state = await context.state.open();
  if (!state.ok) return state;
  const { account: operator, io } = context;
  return planUndoOfRun(connection, runId === undefined ? [] : [runId], {
    state: state.value,
    clock: io.clock,
    operator,
    acks: ack,
  });
}
