import { hostname } from 'node:os';
import type { AccountConfig } from '../../../accounts/config/account-config.ts';
import { type ApplyOptions, applyAccount } from '../../../accounts/engine/apply-account.ts';
import { openAccount } from '../../../accounts/engine/open-account.ts';
import { recall } from '../../../accounts/engine/planning.ts';
import { unforeseen } from '../../../accounts/engine/unforeseen.ts';
import { openRunStates } from '../../../api/states.ts';
import { createRedaction, type Redaction } from '../../../core/lib/redaction.ts';
import { acknowledge } from '../../../core/plan/guards/guard.ts';
import { isTimeProblem } from '../../../core/plan/guards/time-problems.ts';
import type { Acks } from '../../../core/plan/types/plan.ts';
import { ok, type Problem, problem, type Result } from '../../../core/problem/problem.ts';
import type { Origin } from '../../../run/state/journal/record.ts';
import type { Lease } from '../../../run/state/lease/lease.ts';
import { leaseMs } from '../../../run/state/lease/lease-rules.ts';
import { originOf } from '../../../run/state/origin/origin-of.ts';
import { userName } from '../../../run/state/origin/read-origin.ts';
import { isPassingFault } from '../../../run/state/postgres/database-problem.ts';
import { checkTicket } from '../../../service/registers/check-ticket.ts';
import type { RegisterParts } from '../../../service/registers/fetch-register.ts';
import { endedElsewhere, stopRequested } from '../../accounts/decisions/on-run.ts';
import { pauseOf } from '../../accounts/decisions/pauses.ts';
import { serverSubject } from '../../accounts/rules/carry-out.ts';
import { engineOf } from '../../accounts/rules/engine-of.ts';
import { happen } from '../../accounts/rules/happen.ts';
import { firstOf } from '../../database/page.ts';
import type { PlanRecord } from '../../plans/records/plans.ts';
import { type ApprovedPlan, readApprovedPlan, refusalNow } from '../../plans/rules/approved-plan.ts';
import { planSignatureRefusal } from '../../plans/rules/signed-plan.ts';
import type { JobParts } from '../../queue/rules/job-parts.ts';
import { accountNamed, toTenant } from '../../settings/configured-account.ts';
import type { ServerRun } from '../records/runs.ts';
import { postponeRun, type RunJobEnd, recordEnd, refuseRun, stopUnstarted } from './end-run.ts';
import { queueCheckAfter } from './queue-run.ts';
import { createRunRecorder, type RunRecorder } from './run-record.ts';
import { closedWindow } from './run-windows.ts';
import { type RunWatch, stopOfRun, watchRun } from './watch-run.ts';

/**
 * Applies the stored plan of the queued run of an account: exactly this plan, if its checksum is the approved one. A
 * run whose worker died is continued by applying the rest of the same plan. Nothing is planned here.
 */
export async function runPlanJob(name: string, parts: JobParts, signal: AbortSignal): Promise<RunJobEnd> {
  const account = accountNamed(parts.settings, name);
  const run = await openRun(name, parts);
  if (run === undefined) return 'nothing';
  if (account === undefined)
    return refuseRun(run, parts, problem('configuration', 'the account is no longer configured'));
  const approved = await readApprovedPlan(run, parts);
  if (!approved.ok) return refuseRun(run, parts, firstError(approved.problems));
  const unsigned = await planSignatureRefusal(approved.value, parts);
  if (unsigned !== undefined) return refuseRun(run, parts, unsigned);
  // A run in progress may have another worker: what to do with it is decided under its lock.
  if (run.state === 'queued') {
    const refusal = refusalNow(approved.value, account, parts, run.override);
    if (refusal !== undefined)
      return isTimeProblem(refusal) ? postponeRun(run, parts, refusal) : refuseRun(run, parts, refusal);
    const paused = await pausedNow(account, parts);
    if (paused !== undefined) return postponeRun(run, parts, paused, 'pause');
  }
  return carryOut(run, account, approved.value, parts, signal);
}

/** A pause keeps runs from beginning. Those in progress end. */
async function pausedNow(
  account: AccountConfig,
  { store, clock }: JobParts,
): Promise<Pick<Problem, 'message' | 'hint'> | undefined> {
  const pause = pauseOf(await store.pauses.list(), account, clock.now());
  if (pause === undefined) return undefined;
  const { by, reason, until } = pause;
  return {
    message: `${by.name} paused changes: ${reason}`,
    hint: until === null ? 'someone resumes the account' : `ends ${until.toISOString()}`,
  };
}

async function openRun(account: string, { store }: JobParts): Promise<ServerRun | undefined> {
  return firstOf(await store.runs.list({ visible: 'all', account, states: openRunStates, limit: 1 }));
}

interface RunWork {
  readonly run: ServerRun;
  readonly account: AccountConfig;
  readonly parts: JobParts;
  readonly recorder: RunRecorder;
  readonly watch: RunWatch;
  readonly redaction: Redaction;
  /** Aborted when the worker stops. */
  readonly signal: AbortSignal;
}

async function carryOut(
  run: ServerRun,
  account: AccountConfig,
  approved: ApprovedPlan,
  parts: JobParts,
  signal: AbortSignal,
): Promise<RunJobEnd> {
  const { store, clock, settings } = parts;
  const redaction = createRedaction();
  const { redact } = redaction;
  const acked = acknowledge(approved.plan, approved.acks);
  const recorder = createRunRecorder({
    store,
    run,
    plan: acked,
    now: () => clock.now(),
    redact,
  });
  const isClosed = () => closedWindow(acked, account, settings, new Date(clock.now()).toISOString());
  const watch = watchRun({ stopOf: stopOfRun(run, isClosed, parts), recorder, signal });
  const work = { run, account, parts, recorder, watch, redaction, signal };
  try {
    const end = await applyApproved(work, approved);
    if (end === 'ended') await queueCheckAfter(account.name, parts);
    return end;
  } catch (error) {
    // The next worker finds out what was done.
    if (isPassingFault(error)) return 'continue';
    return refuseRun(run, parts, unforeseen(error));
  } finally {
    await watch.end();
  }
}

async function applyApproved(work: RunWork, approved: ApprovedPlan): Promise<RunJobEnd> {
  const { record, plan, acks } = approved;
  const { run, account, parts, recorder, watch, redaction, signal } = work;
  const engine = engineOf(account, parts, redaction, watch.stop);
  // Calls, waits and refusals of the service come from the connection, steps from the run. Only a worker that stops cuts
  // calls in progress: after any other stop they end or time out, so that the next check reads what they did.
  const connection = await openAccount(account, {
    ...engine,
    signal,
    onEvent(event) {
      recorder.hear(event);
      engine.onEvent?.(event);
    },
  });
  if (!connection.ok) return unstarted(work, connection.problems);
  recorder.paced(() => connection.value.paces());
  let end: RunJobEnd = 'continue';
  try {
    const { runs, account: own } = connection.value;
    const recalled = await recall(runs, own, { now: parts.clock.now() });
    if (!recalled.ok) return await unstarted(work, recalled.problems);
    const applied = await applyAccount(
      connection.value,
      plan,
      {
        approvedChecksum: record.checksum,
        origin: originFor(run, record, acks, redaction),
        lockTimeoutMs: leaseMs + 5_000,
        installs: recalled.value.installs,
        leftOut: approved.leftOut,
        ...ticketCheck(account, record, engine),
        onLock: (lease) => begin(work, approved, lease),
        onEnd: async (ended) => {
          end = await recordEnd({ run, parts, recorder, redaction, why: watch.why() }, ended);
        },
        report: (problems) => {
          for (const { severity, message } of problems) recorder.log(severity, message);
        },
      },
      {
        ...engine,
        onEvent: (event) => {
          recorder.hear(event);
          if (event.type === 'run_start') noteJournal(work, event.runId);
          engine.onEvent?.(event);
        },
      },
    );
    if (!applied.ok) return await unstarted(work, applied.problems);
    return end;
  } finally {
    await connection.value.close();
  }
}

/** The change ticket that the operator requires is checked right before the first write. */
function ticketCheck(
  { ticket: rule }: AccountConfig,
  record: PlanRecord,
  engine: RegisterParts,
): Pick<ApplyOptions, 'mayBegin'> {
  return rule === undefined ? {} : { mayBegin: () => checkTicket(rule, ticketOfPlan(record), engine) };
}

/** The latest ticket in an approval. */
function ticketOfPlan({ approvals }: PlanRecord): string | undefined {
  return approvals.findLast(({ ticket }) => typeof ticket === 'string')?.ticket ?? undefined;
}

/** The links of the run to its journal; the end is written in any case. */
function noteJournal({ run, parts }: RunWork, journal: string): void {
  void parts.store.runs.note(run.id, { journal }).catch(() => undefined);
}

/** Another worker may have ended the run while this one waited for the lock. */
async function begin(
  { run, account, parts, watch }: RunWork,
  approved: ApprovedPlan,
  lease: Lease,
): Promise<Result<null>> {
  const begun = await happen(
    run.account,
    async ({ run: known }) => {
      const refusal = refusalNow(approved, account, parts, known?.override ?? null);
      return {
        kind: 'run-begins',
        run: run.id,
        leftOut: approved.record.later?.leftOut ?? [],
        refusal: refusal ?? null,
      };
    },
    { ...parts, tenant: toTenant(account, parts.env) },
  );
  if (!begun.ok) return begun;
  watch.underLock(lease);
  return ok(null);
}

/** A failure that proves nothing about the plan: another worker, or this one later, tries again. */
function isPassing({ code }: Problem): boolean {
  return code === 'lock-held' || code === 'lock-lost' || code === 'state' || code === 'journal';
}

/** The run has not begun, or its beginning could not be recorded: nothing was sent. */
async function unstarted(work: RunWork, problems: readonly Problem[]): Promise<RunJobEnd> {
  const { run, parts, watch, redaction } = work;
  if (problems.includes(endedElsewhere)) return 'nothing';
  if (watch.why() === 'person' || problems.includes(stopRequested)) return stopUnstarted(run, parts);
  const first = firstError(problems);
  if (isTimeProblem(first)) return postponeRun({ ...run, state: 'running' }, parts, first);
  if (watch.why() !== undefined || isPassing(first)) return 'continue';
  const { redact } = redaction;
  const { message, hint, ...rest } = first;
  return refuseRun(run, parts, {
    ...rest,
    message: redact(message),
    ...(hint === undefined ? {} : { hint: redact(hint) }),
  });
}

function firstError(problems: readonly Problem[]): Problem {
  return (
    problems.find(({ severity }) => severity === 'error') ??
    problem('unforeseen', 'the run was refused without a reason')
  );
}

/** Who approved or started the run, and why, for its record and the audit log. */
function originFor({ by, reason }: ServerRun, record: PlanRecord, acks: Acks, { redact }: Redaction): Origin {
  return originOf({
    env: {
      RAMPART_RUN_ACTOR: by?.name ?? serverSubject.name,
      RAMPART_RUN_COMMIT: record.commit ?? undefined,
      RAMPART_RUN_REQUEST: record.pullRequest ?? undefined,
    },
    local: { user: userName(), host: hostname() },
    command: 'server',
    reason: reason ?? undefined,
    ticket: ticketOfPlan(record),
    approvals: acks,
    redact,
  });
}
