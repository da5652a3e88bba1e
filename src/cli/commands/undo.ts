import { adoptDifferences } from '../../accounts/engine/adopt-differences.ts';
import type { Connection } from '../../accounts/engine/connection.ts';
import { planUndoOfRun, type UndoPlan } from '../../accounts/engine/plan-undo.ts';
import { printable } from '../../core/lib/printable.ts';
import { count, quoted } from '../../core/lib/words.ts';
import type { Account } from '../../core/model/account.ts';
import type { Desired } from '../../core/model/desired.ts';
import { noFacts } from '../../core/model/facts.ts';
import { planPieces } from '../../core/plan/document/plan-document.ts';
import { type DriftDifference, findDrift } from '../../core/plan/drift/drift.ts';
import { needsOfDesired } from '../../core/plan/intents/needs.ts';
import { attributeSetBy, plannedActs } from '../../core/plan/ordering/planned-acts.ts';
import type { Acks, Plan } from '../../core/plan/types/plan.ts';
import { formatPlace, ok, type Result } from '../../core/problem/problem.ts';
import type { RefusedChange } from '../../input/writing/change-hosts.ts';
import { entryText } from '../../input/writing/fleet-draft.ts';
import { type ExitCode, exitCodes, exitForPlan } from '../../run/apply/exit-code.ts';
import { createCommandPlanner, fleetToPlan } from '../planning/planning.ts';
import { printReview } from '../planning/print-review.ts';
import type { FoundDrift } from '../planning/read-drift.ts';
import { type CarryOutFlags, carryOut, readOnlyProblem } from '../running/carry-out.ts';
import { withConnection } from '../service/read-fleet.ts';
import { diffOf, openStateToEdit } from '../setup/edit-sources.ts';
import { accountWords, type Context, writeWhole } from '../shell/context.ts';

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
  context.log(`Saved the plan to ${out}. Apply it with: rampart apply ${out}${accountWords(context)}`);
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

/** The reversal of a run that was applied. */
interface UndonePlan {
  readonly plan: Plan;
  readonly account: Account;
}

/** As many hosts as one line or one list names. */
const mostNamed = 20;

/**
 * If the desired state still requests what was undone, the next apply does it again. Shows the edits that prevent it, and
 * the places that no edit can change. A desired state that can't be read gets no patch.
 */
async function offerPatch(context: Context, { plan, account }: UndonePlan): Promise<void> {
  if (context.settings.format !== 'text') return;
  const state = await openStateToEdit([], context);
  if (!state.ok) return;
  const found = await fleetAfter(context, state.value.desired, account);
  if (!found.ok || found.value === null) return;
  const undone = undoneAttributes(plan);
  const differences = found.value.differences.filter(({ hostId, attribute }) =>
    undone.has(`${attribute} ${hostId}`),
  );
  const accepted = adoptDifferences(state.value, found.value.observed, differences, {
    mayAdd: true,
    mayAddTo: state.value.mayAddTo,
  });
  if (!accepted.ok) return;
  const { edited, refused } = accepted.value;
  const patch = diffOf(edited);
  if (patch === '' && refused.length === 0) return;
  const files = edited.map(({ source }) => printable(source.file)).join(', ');
  context.print(
    `\nThe desired state still requests the undone changes, so the next apply makes them again${files === '' ? '' : ` (${files})`}.\n`,
  );
  if (patch !== '') {
    context.print(`This patch prevents it:\n${patch}`);
    context.log(`${writingCommand(differences, refused)}${accountWords(context)}`);
  }
  if (refused.length > 0) context.print(refusedText(refused));
}

type AfterUndo = Pick<FoundDrift, 'observed'> & { readonly differences: readonly DriftDifference[] };

/** The fleet as the run left it, unless rules need facts that no run saves. */
async function fleetAfter(
  context: Context,
  desired: Desired,
  account: Account,
): Promise<Result<AfterUndo | null>> {
  const { antivirus, customFields, hardware, system } = needsOfDesired(desired);
  const needsFacts = antivirus || customFields || hardware.length + system.length > 0;
  const fleet = needsFacts ? await fleetToPlan(context, desired, {}) : await savedFleet(context, account);
  if (!fleet.ok || fleet.value === null) return fleet.ok ? ok(null) : fleet;
  const { observed } = fleet.value;
  const planner = await createCommandPlanner(context, { desired, ...fleet.value }, {});
  if (!planner.ok) return planner;
  const inputs = planner.value.inputsOn(observed);
  if (!inputs.ok) return inputs;
  return ok({ observed, differences: findDrift(inputs.value, { unmanaged: false }).differences });
}

async function savedFleet(context: Context, account: Account) {
  const state = await context.state.open();
  if (!state.ok) return state;
  const left = await state.value.readFleet(account);
  if (!left.ok || left.value === null) return left.ok ? ok(null) : left;
  return ok({ account, observed: left.value.observed, facts: noFacts });
}

function undoneAttributes(plan: Plan): ReadonlySet<string> {
  return new Set(Array.from(plannedActs(plan), ({ kind, hostId }) => `${attributeSetBy[kind]} ${hostId}`));
}

function writingCommand(
  differences: readonly DriftDifference[],
  refused: readonly RefusedChange<DriftDifference>[],
): string {
  const left = new Set(refused.map(({ of }) => of));
  const hosts = [...new Set(differences.filter((each) => !left.has(each)).map(({ hostId }) => hostId))];
  return hosts.length > mostNamed
    ? 'To write it, pass the ids of these hosts to: rampart import drift ID…'
    : `Write it with: rampart import drift ${hosts.join(' ')}`;
}

function refusedText(refused: readonly RefusedChange<DriftDifference>[]): string {
  const lines = refused.slice(0, mostNamed).map(({ of, why, proposal }) => {
    const { hostId, attribute, observed, intended, place } = of;
    const at = place === undefined ? '' : `${printable(formatPlace(place))}  `;
    const value = (text: string) => (text === '' ? 'no group' : quoted(text));
    const change = `host ${hostId}: ${attribute} ${value(observed)} instead of ${value(intended)}`;
    const add =
      proposal === undefined
        ? ''
        : `\n    or add an entry, which overrides rules: ${printable(entryText(proposal.host, proposal.intent, 'flow', ''))}`;
    return `  ${at}${change} (${why})${add}\n`;
  });
  const more = refused.length - lines.length;
  return `Rampart can't edit what requests ${count(refused.length, 'change')}. Edit it yourself:\n${lines.join('')}${more > 0 ? `  … and ${more} more\n` : ''}`;
}
