import type { GroupId, HostId, Observed } from '../../core/model/observed.ts';
import type { ChangeKind } from '../../core/model/policy.ts';
import type { StepOutcome } from '../../core/model/run-event.ts';
import { actsOf } from '../../core/plan/ordering/planned-acts.ts';
import type { Plan } from '../../core/plan/types/plan.ts';
import type { StepSummary } from '../../core/plan/types/run-summary.ts';
import type { Reason, Step } from '../../core/plan/types/step.ts';
import { fileAndLine, type Problem } from '../../core/problem/problem.ts';

/** One change of one host, for a row of computed attributes. Names are raw. */
export interface FleetChange {
  readonly hostId: HostId;
  /** The name before the plan; null if the service has none. */
  readonly name: string | null;
  /** A refresh changes nothing: it asks the host to report because its install is in doubt. */
  readonly kind: ChangeKind | 'refresh';
  /** The name or the group before; null if there is none, and for installs and deletions. */
  readonly from: string | null;
  /** The name or the group after; null for ungrouped, and for installs and deletions. */
  readonly to: string | null;
  /** The place that requests it: `fleet.yaml:3`, with the name of the rule, if any. */
  readonly reason: string;
}

/** The outcome of a change. */
export interface ChangeEnd extends FleetChange {
  readonly outcome: StepOutcome;
  readonly problem?: Problem;
}

/** Every change of the plan, in its order. Temporary renames are left out. */
export function changesOf({ steps }: Plan, observed: Observed): readonly FleetChange[] {
  return steps.flatMap((step) => changesIn(step, observed));
}

/** The same after a run; changes whose steps are not in the summary were not started. */
export function endsOf(
  plan: Plan,
  observed: Observed,
  accounts: readonly StepSummary[],
): readonly ChangeEnd[] {
  const byStep = new Map(accounts.map((account) => [account.step.id, account]));
  return plan.steps.flatMap((step) => {
    const account = byStep.get(step.id);
    return changesIn(step, observed).map(
      (change): ChangeEnd =>
        account === undefined ? { ...change, outcome: 'not-started' } : endOf(change, account),
    );
  });
}

/** If a batch names failed hosts, the others are done. */
function endOf(change: FleetChange, { outcome, problem, failedHosts }: StepSummary): ChangeEnd {
  const own = failedHosts.find(({ hostId }) => hostId === change.hostId);
  if (own !== undefined) return { ...change, outcome, problem: own.problem };
  if (outcome === 'failed' && failedHosts.length > 0) return { ...change, outcome: 'done' };
  return { ...change, outcome, ...(problem === undefined ? {} : { problem }) };
}

function changesIn(step: Step, observed: Observed): readonly FleetChange[] {
  if (step.kind === 'refresh') {
    return step.hosts.map(({ hostId, name, reason }) => {
      return { hostId, name, kind: 'refresh', from: null, to: null, reason: reasonText(reason) };
    });
  }
  const groupOf = (id: GroupId) => observed.groupById(id)?.name ?? null;
  return actsOf([step]).map(({ hostId, name, kind, from, to, group, reason }) => ({
    hostId,
    name,
    kind,
    from: kind === 'rename' ? name : kind === 'move' ? groupOf(from) : null,
    to: to ?? group?.name ?? null,
    reason: reasonText(reason()),
  }));
}

function reasonText(reason: Reason): string {
  const place = fileAndLine(reason);
  return reason.rule === undefined ? place : `${place} (rule ${reason.rule})`;
}
