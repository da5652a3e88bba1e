import type { Clock } from '../../core/lib/surroundings.ts';

/**
 * Whether Terraform plans after it reads. Terraform does not announce this, and plans each resource just after it has
 * read it. If it only refreshes, a read must not change what the resource stores, because Terraform would report that
 * as drift.
 */
export interface PlanPhase {
  /** A resource is planned. */
  planning(): void;
  /** False if that is not known yet. The first call returns at once, and others wait for what follows it. */
  isPlan(signal: AbortSignal): Promise<boolean>;
}

const stepMs = 10;
/** Terraform plans the first resource within milliseconds after it was read. */
const patienceMs = 250;

export function createPlanPhase(clock: Clock): PlanPhase {
  let isPlanning = false;
  let hasRead = false;
  let isRefreshing = false;
  return {
    planning() {
      isPlanning = true;
    },
    async isPlan(signal) {
      if (!hasRead) {
        hasRead = true;
        return isPlanning;
      }
      for (let waitedMs = 0; waitedMs < patienceMs && !isPlanning && !isRefreshing; waitedMs += stepMs) {
        if (signal.aborted) return false;
        await clock.sleep(stepMs, signal);
      }
      isRefreshing = !isPlanning;
      return isPlanning;
    },
  };
}
