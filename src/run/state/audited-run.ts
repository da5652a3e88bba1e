import { recordOfAccount } from '../../core/model/account.ts';
import {
  firstTaken,
  joinNumbers,
  type NumberRange,
  type NumberRecord,
  numberedName,
} from '../../core/model/numbered-name.ts';
import type { StepOutcome } from '../../core/model/run-event.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import type { AuditEntry } from './audit/audit-record.ts';
import { coverKey } from './audit/covers.ts';
import type { State } from './interface/state.ts';
import type { Journal } from './journal/journal.ts';
import type { RunHead } from './journal/journal-on.ts';
import type { Origin } from './journal/record.ts';
import type { Lease } from './lease/lease.ts';

export interface AuditedRunOptions extends Omit<RunHead, 'numbers'> {
  /** The numbers that the plan gives to hosts. */
  readonly numbers?: readonly NumberRange[] | undefined;
  readonly origin: Origin;
}

/** Runs to look at if the latest one can't be read. */
const recent = 20;

/**
 * The highest number of each kind of name, after this run. The account is locked, so no other run gives numbers now. The
 * record of each run repeats what the runs before it gave, because only the latest run is sure to be kept.
 */
async function takeNumbers(
  state: State,
  { account, planChecksum, numbers = [] }: AuditedRunOptions,
): Promise<Result<readonly NumberRecord[]>> {
  const listed = await state.listRuns({ account, limit: recent });
  if (!listed.ok) return listed;
  if (numbers.length > 0 && listed.problems.length > 0) return failed(...listed.problems);
  const latest = listed.value[0]?.head;
  const given = latest?.numbers ?? [];
  // A plan that is applied again gives its own numbers again.
  const taken = latest?.plan_checksum === planChecksum ? undefined : firstTaken(given, numbers);
  if (taken !== undefined) {
    const { prefix, digits, first } = taken;
    const name = numberedName(prefix, digits, first);
    return failed(
      problem('stale-plan', `the number of "${name}" was assigned by another run after this plan was made`, {
        hint: 'plan again',
      }),
    );
  }
  return ok(joinNumbers(given, numbers));
}

/** Opens the record of a run, and notes its start, its approvals and its end in the audit log. */
export async function startAuditedRun(
  state: State,
  lease: Lease,
  head: AuditedRunOptions,
): Promise<Result<Journal>> {
  const { account, clock, origin } = head;
  const numbers = await takeNumbers(state, head);
  if (!numbers.ok) return numbers;
  const started = await state.startRun(lease, { ...head, numbers: numbers.value });
  if (!started.ok) return started;
  const journal = started.value;
  const entry = (kind: AuditEntry['kind'], what: AuditEntry['what']): AuditEntry => ({
    kind,
    origin,
    what: {
      run_id: journal.runId,
      account: recordOfAccount(account),
      ...what,
    },
  });
  const { approvals } = origin;
  const noted = await state.audit.append(clock, [
    entry('run-started', {
      plan_checksum: head.planChecksum,
      steps: head.steps,
      covers: { [coverKey('run-start', journal.runId)]: journal.seal },
    }),
    ...(approvals === undefined ? [] : [entry('approval', { approvals })]),
  ]);
  if (!noted.ok) {
    await journal.end(1);
    return failed(...noted.problems);
  }
  const outcomes = new Map<string, StepOutcome>();
  return ok(
    {
      runId: journal.runId,
      begin: (step) => journal.begin(step),
      outcome(step, outcome, details) {
        outcomes.set(step, outcome);
        return journal.outcome(step, outcome, details);
      },
      async end(exitCode, pace, all = [...outcomes.values()]) {
        const recorded = await journal.end(exitCode, pace);
        const ended = await state.audit.append(clock, [
          entry('run-ended', {
            exit_code: exitCode,
            steps: head.steps,
            outcomes: countEach(all),
            ...(recorded.ok ? { covers: { [coverKey('run', journal.runId)]: recorded.value } } : {}),
          }),
        ]);
        const problems = [...recorded.problems, ...ended.problems];
        return recorded.ok && ended.ok ? ok(null, problems) : failed(...problems);
      },
    },
    [...started.problems, ...noted.problems],
  );
}

function countEach(outcomes: readonly StepOutcome[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(Object.groupBy(outcomes, (outcome) => outcome)).map(([outcome, all]) => [
      outcome,
      all.length,
    ]),
  );
}
