import type { PlanDetail } from '../../../api/plans.ts';
import type { RunRow } from '../../../api/runs.ts';
import { pageOf } from '../../browser/address.ts';
import type { PageBody } from '../../data/page-store.ts';
import { type Resource, useResource } from '../../data/resource.ts';
import { StateMark } from '../../parts/mark.tsx';
import { runMarks } from '../../words/state-marks.ts';

/** The run that applies a plan, or applied it. */
export function RunOfPlan({ plan }: { readonly plan: PlanDetail }) {
  const runs: Resource<PageBody<RunRow>> = useResource<PageBody<RunRow>>('/runs', {
    query: { plan: plan.id, limit: 1 },
    when: ({ type, account }) => type === 'run.changed' && account === plan.account,
  });
  const run = runs.value?.items[0];
  if (run === undefined) return null;
  return (
    <p class="run-of-plan">
      <a href={pageOf.run(run.id)}>Open its run</a> <StateMark mark={runMarks[run.state]} />
    </p>
  );
}
