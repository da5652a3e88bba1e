import type { Plan } from '../../core/plan/types/plan.ts';
import { hostIdsOf } from '../../core/plan/types/step.ts';

/** The counts that GitLab shows for a plan on its merge request, from an artifact of type `terraform`. */
export interface GitlabReport {
  /** Hosts enroll themselves, so no plan ever creates one. */
  readonly create: 0;
  /** Hosts that change and are not deleted. */
  readonly update: number;
  readonly delete: number;
}

export function gitlabReport({ steps }: Plan): GitlabReport {
  const toDelete = new Set(steps.filter(({ kind }) => kind === 'delete').flatMap(hostIdsOf));
  const changed = new Set(steps.flatMap(hostIdsOf));
  return { create: 0, update: changed.size - toDelete.size, delete: toDelete.size };
}
