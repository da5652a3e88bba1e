import { useRoute } from 'preact-iso/router';
import type { PlanDetail } from '../../../api/plans.ts';
import { inFigures } from '../../../output/components/numbers.ts';
import { Name } from '../../../output/components/text.tsx';
import { pageOf, useAddress } from '../../browser/address.ts';
import { pathOf } from '../../data/api.ts';
import { type Resource, useResource } from '../../data/resource.ts';
import { StateMark } from '../../parts/mark.tsx';
import { Page } from '../../parts/page.tsx';
import { Loaded } from '../../parts/states.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { planMarks } from '../../words/state-marks.ts';
import { Decision } from './decision-panel.tsx';
import '../../../output/components/style/review.css';
import './plan.css';
import { PlanHosts } from './plan-hosts.tsx';
import { PlanReview } from './plan-review.tsx';
import { PlanStateBanner } from './plan-state-banner.tsx';

/** The review of one plan, with the decision beside it. */
export function Plan() {
  const { id = '' } = useRoute().params;
  const plan: Resource<PlanDetail> = useResource<PlanDetail>(pathOf`/plans/${id}`, {
    when: (event) =>
      event.resource === id || (event.account !== null && event.account === plan.value?.account),
  });
  return (
    <Loaded of={plan} tried="Reading the plan" lines={14}>
      {(value) => <LoadedPlan key={id} plan={value} resource={plan} />}
    </Loaded>
  );
}

function LoadedPlan({
  plan,
  resource,
}: {
  readonly plan: PlanDetail;
  readonly resource: Resource<PlanDetail>;
}) {
  const { get } = useAddress();
  const view = get('view') === 'hosts' ? 'hosts' : 'review';
  return (
    <Page
      title={`Plan of ${plan.account}`}
      class="plan-page"
      above={
        <a href={pageOf.account(plan.account)}>
          <Name name={plan.account} />
        </a>
      }
      heading={
        <>
          Plan <StateMark mark={planMarks[plan.state]} />
        </>
      }
      below={<p class="verdict">{inFigures(plan.verdict)}</p>}
    >
      <PlanStateBanner plan={plan} />
      <p class="to-decision">
        <a href="#decision">Go to the decision</a>
      </p>
      <div class="with-aside">
        <div class="plan-main">
          <Tabs
            label="Views of the plan"
            current={view}
            tabs={[
              { key: 'review', title: 'Review', href: pageOf.plan(plan.id) },
              {
                key: 'hosts',
                title: 'Hosts',
                href: `${pageOf.plan(plan.id)}?view=hosts`,
              },
            ]}
          />
          {view === 'hosts' ? (
            <PlanHosts plan={plan} />
          ) : (
            <PlanReview plan={plan} onChange={resource.reload} />
          )}
        </div>
        <Decision plan={plan} onChange={resource.reload} />
      </div>
    </Page>
  );
}
