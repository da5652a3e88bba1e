import { type InstallRecall, type PendingState, pendingStateOf } from '../../core/model/install-request.ts';
import type { HostId, Observed } from '../../core/model/observed.ts';
import type { PendingInstall, Plan } from '../../core/plan/types/plan.ts';
import type { StepSummary } from '../../core/plan/types/run-summary.ts';

export interface PendingInputs {
  readonly plan: Plan;
  readonly steps: readonly StepSummary[];
  /** The read before the first call. */
  readonly before: Observed;
  /** The read that verified the run, if there was one. */
  readonly after: Observed | null | undefined;
  readonly recall: InstallRecall;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Installs that no read shows at the end of a run: those that were pending before it, and those it requested. */
export function pendingAfter({
  plan,
  steps,
  before,
  after,
  recall,
  now,
}: PendingInputs): readonly PendingInstall[] {
  const pending = new Map<HostId, PendingInstall>();
  const isShown = (id: HostId) =>
    [before, after].some((read) => read?.byId(id)?.antivirus?.installed === true);
  const add = (install: PendingInstall) => {
    if (!isShown(install.hostId)) pending.set(install.hostId, install);
  };
  for (const install of plan.pendingInstalls)
    if (now - Date.parse(install.requestedAt) < recall.windowMs) add(install);
  for (const account of steps) {
    const { step } = account;
    if (step.kind !== 'antivirus') continue;
    for (const { hostId, name } of step.hosts) {
      const earlier = earlierRequest(hostId, { before, recall });
      const state = stateAfter(account, hostId);
      if (earlier !== undefined) add({ hostId, name, ...earlier });
      else if (state !== undefined) add({ hostId, name, state, requestedAt: new Date(now).toISOString() });
    }
  }
  return [...pending.values()];
}

/** The request that kept the run from requesting the install again. */
function earlierRequest(
  hostId: HostId,
  { before, recall }: Pick<PendingInputs, 'before' | 'recall'>,
): Omit<PendingInstall, 'hostId' | 'name'> | undefined {
  const host = before.byId(hostId);
  const request = recall.requests.get(hostId);
  const state = host && pendingStateOf(host, recall, before);
  if (request === undefined || state === undefined) return undefined;
  return { ...request, state };
}

/** The state of one host after a step of this run; undefined if nothing was requested for it. */
function stateAfter({ outcome, failedHosts }: StepSummary, hostId: HostId): PendingState | undefined {
  const own = failedHosts.find((each) => each.hostId === hostId);
  if (own !== undefined) return own.inDoubt === true ? 'in-doubt' : undefined;
  switch (outcome) {
    case 'done':
      return 'in-progress';
    // A read showed it; earlier requests were checked before.
    case 'already':
      return undefined;
    case 'failed':
      return failedHosts.length > 0 ? 'in-progress' : undefined;
    case 'unknown':
      return failedHosts.some(({ inDoubt }) => inDoubt === true) ? 'in-progress' : 'in-doubt';
    case 'skipped':
    case 'not-started':
      return undefined;
  }
}
