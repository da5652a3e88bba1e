import type { Clock } from '../../core/lib/surroundings.ts';
import type { Account } from '../../core/model/account.ts';
import { nothingRecalled } from '../../core/model/install-request.ts';
import { planChecksum } from '../../core/plan/document/plan-document.ts';
import type { Acks, Plan } from '../../core/plan/types/plan.ts';
import type { Step } from '../../core/plan/types/step.ts';
import { failed, ok, type Problem, type Result } from '../../core/problem/problem.ts';
import { type StepResult, stepUnknown } from '../../run/apply/step-result.ts';
import { underLease } from '../../run/apply/under-lease.ts';
import { type AuditedRunOptions, startAuditedRun } from '../../run/state/audited-run.ts';
import type { State } from '../../run/state/interface/state.ts';
import type { Journal } from '../../run/state/journal/journal.ts';
import { describeProcess } from '../../run/state/lease/this-process.ts';
import { readOrigin } from '../../run/state/origin/read-origin.ts';
import { type Recalled, recallRuns } from '../../run/state/recall-runs.ts';
import type { FleetWriter } from '../../service/wire/fleet.ts';

/** Opens the state of earlier runs on first use. */
export type OpenState = () => Promise<Result<State>>;

export interface RecordOptions {
  /** The state that records runs and locks the account; nothing is stored if absent. */
  readonly openState?: OpenState;
  readonly account: Account;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  /** Removes secrets from a text before it is recorded. */
  readonly redact?: (text: string) => string;
}

/** A run's journal, under the account's lock. */
export interface RunJournal {
  readonly journal: Journal;
  /** The same writer, which sends nothing once the lock is lost. */
  guarded(writer: FleetWriter): FleetWriter;
  /** Returns what could not be recorded. */
  close(exitCode: number): Promise<readonly Problem[]>;
}

/** How long to wait for another process's run, in milliseconds. */
const lockTimeoutMs = 60_000;

export function openRecord(plan: Plan, options: RecordOptions): Promise<Result<RunJournal>> {
  const { steps, observed, tables, numbers } = plan;
  return openRun(
    { planChecksum: planChecksum(plan), steps: steps.length, fleetSize: observed.hosts, tables, numbers },
    { ...options, approvals: plan.acks, ticket: plan.ticket },
  );
}

type Planned = Pick<AuditedRunOptions, 'planChecksum' | 'steps' | 'fleetSize' | 'tables' | 'numbers'>;

async function openRun(
  planned: Planned,
  options: RecordOptions & { readonly approvals?: Acks; readonly ticket?: string | undefined },
): Promise<Result<RunJournal>> {
  const { openState, account, clock, signal, redact = (text) => text } = options;
  if (openState === undefined)
    return ok({ journal: memoryJournal(), guarded: (writer) => writer, close: async () => [] });
  const state = await openState();
  if (!state.ok) return state;
  const origin = await readOrigin({
    env: process.env,
    cwd: process.cwd(),
    command: 'terraform apply',
    approvals: options.approvals,
    ticket: options.ticket,
    redact,
  });
  const lock = await state.value.acquire(account, {
    clock,
    timeoutMs: lockTimeoutMs,
    holder: describeProcess(new Date(clock.now()).toISOString(), origin),
    ...(signal === undefined ? {} : { signal }),
  });
  if (!lock.ok) return lock;
  const journal = await startAuditedRun(state.value, lock.value, {
    ...planned,
    clock,
    account,
    origin,
  });
  if (!journal.ok) {
    await lock.value.release();
    return failed(...journal.problems);
  }
  return ok(
    {
      journal: journal.value,
      guarded: (writer) => underLease(writer, lock.value),
      async close(exitCode) {
        const ended = await journal.value.end(exitCode);
        await lock.value.release();
        return ended.problems;
      },
    },
    lock.problems,
  );
}

/**
 * Executes a step that belongs to no plan, as a separate run. The record is durable before the first request, so a
 * later process knows about a request of a process that was killed. Nothing is sent if it can't be recorded.
 */
export async function runRecorded(
  step: Step,
  { fleetSize, ...options }: RecordOptions & { readonly fleetSize: number },
  run: (guarded: RunJournal['guarded']) => Promise<StepResult>,
): Promise<StepResult> {
  const record = await openRun({ planChecksum: noPlan, steps: 1, fleetSize }, options);
  if (!record.ok) return notRecorded(record.problems);
  const { journal, guarded, close } = record.value;
  const begun = await journal.begin(step);
  const result = begun.ok ? await run(guarded) : notRecorded(begun.problems);
  const { outcome, problem: cause, failedHosts } = result;
  const idsOf = (hosts: typeof failedHosts) => hosts.map(({ hostId }) => hostId);
  await journal.outcome(step.id, outcome, {
    ...(cause === undefined ? {} : { problem: cause }),
    failedHostIds: idsOf(failedHosts.filter(({ inDoubt }) => inDoubt !== true)),
    inDoubtHostIds: idsOf(failedHosts.filter(({ inDoubt }) => inDoubt === true)),
  });
  const [unrecorded] = await close(outcome === 'done' && failedHosts.length === 0 ? 0 : 5);
  // Later runs find a request without an outcome.
  return unrecorded === undefined || outcome !== 'done' ? result : { ...result, ...stepUnknown(unrecorded) };
}

/** The checksum in the record of a step that no plan has. */
const noPlan = '';

function notRecorded([cause]: readonly Problem[]): StepResult {
  return { outcome: 'not-started', failedHosts: [], ...(cause === undefined ? {} : { problem: cause }) };
}

/** Keeps nothing of the run except its summary. */
function memoryJournal(): Journal {
  return { runId: '', begin: async () => ok(null), outcome: async () => {}, end: async () => ok(null) };
}

/** What earlier runs left. */
export async function recallFleet({ openState, account, clock }: RecordOptions): Promise<Result<Recalled>> {
  const state = await openState?.();
  if (state === undefined) return ok({ installs: nothingRecalled });
  if (!state.ok) return state;
  return recallRuns(state.value, account, { now: clock.now() });
}
