import { type Connection } from '../../../control/engine/connection.ts';
import { type ExitCode, exitCodes, exitForPlan } from '../../../control/engine/exit-code.ts';
import { planUndo, type UndoPlan } from '../../../control/engine/plan-undo.ts';
import { printable } from '../../../core/lib/printable.ts';
import { planPieces } from '../../../core/plan/document/plan-document.ts';
import { matchEntries } from '../../../core/plan/intents/match.ts';
import type { Acks } from '../../../core/plan/types/constraints.ts';
import { type Result } from '../../../core/problem/result.ts';
import { createIntents } from '../../../input/writing/draft-fleet.ts';
import { printReview } from '../planning/print-review.ts';
import { type CarryOutFlags, carryOut, readOnlyProblem } from '../running/carry-out.ts';
import { withConnection } from '../service/read-fleet.ts';
import { acceptChanges, type WantedChange } from '../setup/accept-changes.ts';
import { diffOf, openState } from '../setup/edit-sources.ts';
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
  let undone: UndoPlan | undefined;
  const code = await carryOut(context, { ...flags, command: 'undo' }, async (connection) => {
    const prepared = await prepare(context, connection, flags, runId);
    if (prepared.ok) undone = prepared.value;
    return prepared;
  });
  if (undone !== undefined && code === exitCodes.success) await offerPatch(context, undone);
  return code;
}

/** As many hosts as one line names. */
const mostNamed = 20;

/** The desired state still asks for what was undone, so the next apply does it again. Shows the edits that prevent it. */
async function offerPatch(context: Context, { plan, observed }: UndoPlan): Promise<void> {
  if (context.settings.format !== 'text') return;
  const state = await openState([], context);
  if (!state.ok) return;
  const intents = createIntents(observed);
  const changes = plan.steps.flatMap((step): readonly WantedChange[] => {
    if (step.kind === 'rename') return [{ hostId: step.hostId, acceptance: { kind: 'name', name: step.to } }];
    const group = step.kind === 'move' ? intents(step.groupId) : undefined;
    if (step.kind !== 'move' || group === undefined) return [];
    return step.hosts.map(({ hostId }) => ({ hostId, acceptance: { kind: 'group', group } }));
  });
  const { desired } = state.value;
  const matches = matchEntries(desired, observed, { strict: false }).matches();
  const entries = new Map(matches.map(({ entry, host }) => [host.id, entry.index]));
  const accepted = acceptChanges(state.value, entries, changes);
  if (!accepted.ok) return;
  const patch = diffOf(accepted.value.edited);
  if (patch === '') return;
  const refused = new Set(accepted.value.refused.map(({ change }) => change));
  const hosts = [...new Set(changes.filter((each) => !refused.has(each)).map(({ hostId }) => hostId))];
  const files = accepted.value.edited.map(({ source }) => printable(source.file)).join(', ');
  context.print(
    `\nThe desired state still requests the undone changes, so the next apply makes them again (${files}).\n`,
  );
  context.print(`This patch prevents it:\n${patch}`);
  context.log(
    hosts.length > mostNamed
      ? 'Write it with: rampart adopt-drift HOST…, with the ids of these hosts'
      : `Write it with: rampart adopt-drift ${hosts.join(' ')}`,
  );
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
  return planUndo(connection, runId === undefined ? [] : [runId], {
    state: state.value,
    clock: io.clock,
    operator,
    acks: ack,
  });
}
