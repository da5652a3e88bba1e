import { unforeseen } from '../../../accounts/engine/unforeseen.ts';
import { readStoredPlan } from '../../../accounts/plans/read-stored-plan.ts';
import { failed, ok, type Problem, problem, type Result } from '../../../core/problem/problem.ts';
import { assess } from '../../../run/apply/assess.ts';
import { type DetailedRun, rehearseInDetail } from '../../../run/apply/rehearse.ts';
import { failureOf } from '../../accounts/rules/check-result.ts';
import { storedFleet } from '../../hosts/rules/stored-fleet.ts';
import type { Store } from '../../store/open-store.ts';
import type { RehearsalFinding, RehearsalResult, RehearsalRun } from '../records/rehearsals.ts';

/** A rehearsal keeps the whole fleet in memory, twice, and takes processor time from the other work of its process. */
const mostHosts = 100_000;
const usualMostCalls = 30_000;
const mostFindings = 50;

export interface RehearseParts {
  readonly store: Pick<Store, 'plans' | 'hosts' | 'rehearsals'>;
  /** A plan of more calls is refused; 30,000 if absent. */
  readonly mostCalls?: number;
}

/**
 * Applies a stored plan to emulated copies of the fleet, as the last check saw it, in virtual time. It has no connection to
 * the service of the account and needs no key. Rejects only if the database fails, or if it is stopped.
 */
export async function rehearsePlanJob(
  id: string,
  { store, mostCalls = usualMostCalls }: RehearseParts,
  signal: AbortSignal,
): Promise<void> {
  const asked = await store.rehearsals.begin(id);
  const record = asked && (await store.plans.find(id, 'all'));
  if (record === undefined) return;
  // The digest is read first: hosts that change during the read belong to a later fleet, which is rehearsed again on
  // request.
  const digest = await store.hosts.digest(record.account);
  const rehearsed = await carriedOut(id, record.account, { ...store, mostCalls }, signal);
  signal.throwIfAborted();
  await store.rehearsals.end(
    id,
    digest,
    rehearsed.ok
      ? rehearsed.value
      : resultOf(
          [],
          failureOf(rehearsed.problems, (text) => text),
        ),
  );
}

async function carriedOut(
  id: string,
  account: string,
  { plans, hosts, mostCalls }: Pick<Store, 'plans' | 'hosts'> & { readonly mostCalls: number },
  stop: AbortSignal,
): Promise<Result<RehearsalResult>> {
  const text = await plans.document(id, 'all');
  const plan = text === undefined ? failed(gone) : readStoredPlan(text, id);
  if (!plan.ok) return plan;
  if (plan.value.calls.planned > mostCalls) return failed(tooLarge(`${mostCalls} calls`));
  const stored = await hosts.all(account, mostHosts + 1);
  if (stored.length > mostHosts) return failed(tooLarge(`accounts of ${mostHosts} hosts`));
  const observed = storedFleet(stored, plan.value);
  const [first, ...others] = assess(plan.value, observed).stale;
  if (first !== undefined) return failed(noLongerFits(first, others.length));
  try {
    const pace = plan.value.forecast?.pace;
    const runs = await rehearseInDetail(plan.value, observed, { stop, pace });
    return ok(
      resultOf([
        ['without_faults', runs.withoutFaults],
        ['with_faults', runs.withFaults],
      ]),
    );
  } catch (error) {
    return failed(unforeseen(error));
  }
}

const gone = problem('stale-plan', 'the plan no longer exists');

function tooLarge(limit: string): Problem {
  return problem('usage', `the server rehearses plans of at most ${limit}`, {
    hint: 'download the plan, and run: rampart plan rehearse plan.json',
  });
}

function noLongerFits({ message }: Problem, others: number): Problem {
  const more = others === 0 ? '' : ` (and ${others} more)`;
  return problem('stale-plan', `the plan no longer fits the fleet: ${message}${more}`, {
    hint: 'plan again',
  });
}

function resultOf(
  runs: readonly (readonly [RehearsalRun['kind'], DetailedRun])[],
  failure: RehearsalResult['failure'] = null,
): RehearsalResult {
  const findings = runs.flatMap(([kind, { problems }]) => problems.map((each) => findingOf(kind, each)));
  return {
    runs: runs.map(([kind, run]) => runOf(kind, run)),
    findings: findings.slice(0, mostFindings),
    more: Math.max(0, findings.length - mostFindings),
    failure,
  };
}

function runOf(
  kind: RehearsalRun['kind'],
  { converged, steps, calls, conflicts, resolved, refusals, minutes }: DetailedRun,
): RehearsalRun {
  const { inDoubt, ...counts } = steps;
  return {
    kind,
    converged,
    steps: { ...counts, in_doubt: inDoubt },
    calls,
    conflicts: { answers: conflicts, ...resolved },
    refusals,
    seconds: Math.round(minutes * 60),
  };
}

function findingOf(run: RehearsalRun['kind'], { severity, code, message, hint }: Problem): RehearsalFinding {
  return { run, severity, code, message, ...(hint === undefined ? {} : { hint }) };
}
