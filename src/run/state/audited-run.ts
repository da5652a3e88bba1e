import type { StepOutcome } from '../../core/model/run-event.ts';
import { failed, ok, type Result } from '../../core/problem/result.ts';
import type { AuditEntry } from './audit/audit-record.ts';
import { coverKey } from './audit/covers.ts';
import type { RunHead, State } from './interface/state.ts';
import type { Journal } from './journal/journal.ts';
import type { Origin } from './journal/record.ts';
import type { Lease } from './lease/lease.ts';

export interface AuditedRunOptions extends RunHead {
  readonly origin: Origin;
}

/** Opens the record of a run, and notes its start, its approvals and its end in the audit log. */
export async function startAuditedRun(
  state: State,
  lease: Lease,
  head: AuditedRunOptions,
): Promise<Result<Journal>> {
  const { account, clock, origin } = head;
  const started = await state.startRun(lease, head);
  if (!started.ok) return started;
  const journal = started.value;
  const entry = (kind: AuditEntry['kind'], what: AuditEntry['what']): AuditEntry => ({
    kind,
    origin,
    what: {
      run_id: journal.runId,
      account: { company_id: account.companyId, service: account.service },
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
      async end(exitCode, pace) {
        const recorded = await journal.end(exitCode, pace);
        const counts = countEach([...outcomes.values()]);
        const ended = await state.audit.append(clock, [
          entry('run-ended', {
            exit_code: exitCode,
            steps: head.steps,
            outcomes: counts,
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
