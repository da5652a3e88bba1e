import type { PlanDetail } from '../../../api/plans.ts';
import { pageOf } from '../../browser/address.ts';
import { Section } from '../../parts/page.tsx';
import { Table } from '../../parts/table.tsx';
import { Count, Place, Text } from '../../parts/text.tsx';
import { causeTitle } from '../../words/cause.ts';
import { counted, figure } from '../../words/numbers.ts';
import { withoutPlace } from '../../words/places.ts';
import { Chains } from './chains.tsx';
import { Comments } from './comments.tsx';
import { GroupChanges } from './group-changes.tsx';
import { hostColumns } from './host-columns.tsx';
import { PlanCalls } from './plan-calls.tsx';
import { groupedCauses } from './plan-causes.ts';
import { PlanHostsPreview } from './plan-hosts.tsx';
import { PlanProblems } from './plan-problems.tsx';
import { PlanRehearsal } from './plan-rehearsal.tsx';

/** Everything that a reviewer reads, what can't be undone first. */
export function PlanReview({ plan, onChange }: { readonly plan: PlanDetail; readonly onChange: () => void }) {
  const causes = groupedCauses(plan.causes);
  return (
    <>
      <Irreversible plan={plan} />
      <PlanProblems problems={plan.problems} more={plan.more?.problems} />
      {plan.groups.length === 0 ? null : (
        <Section title="Groups before and after" count={figure(plan.groups.length)}>
          <GroupChanges groups={plan.groups} />
        </Section>
      )}
      {plan.causes.length === 0 ? null : (
        <Section title="Causes" count={figure(causes.length)}>
          <Table
            label="Causes"
            rows={causes}
            keyOf={({ title, place }) => `${title} ${place?.file} ${place?.line}`}
            columns={[
              {
                key: 'title',
                title: 'Cause',
                isHead: true,
                isPlain: true,
                cell: ({ title, place }) => <Text text={causeTitle(withoutPlace(title, place))} />,
              },
              { key: 'place', title: 'Where', cell: ({ place }) => <Place place={place} /> },
              {
                key: 'changes',
                title: 'Changes',
                isNumber: true,
                cell: ({ hosts }) => <Count value={hosts} />,
              },
            ]}
          />
        </Section>
      )}
      <PlanHostsPreview plan={plan} />
      <Chains chains={plan.chains} more={plan.more?.chains} />
      <PlanCalls plan={plan} />
      <PlanRehearsal plan={plan} onChange={onChange} />
      <Comments plan={plan} onChange={onChange} />
    </>
  );
}

function Irreversible({ plan }: { readonly plan: PlanDetail }) {
  const { account, id, irreversible_hosts: hosts, more } = plan;
  const all = hosts.length + (more?.irreversible_hosts ?? 0);
  if (hosts.length === 0)
    return (
      <p class="all-reversible">
        <span class="glyph green" aria-hidden="true">
          ↺
        </span>{' '}
        Every change of this plan can be undone.
      </p>
    );
  return (
    <Section title="Can't be undone" count={counted(all, 'host')} class="irreversible">
      <Table
        label="Changes that can't be undone"
        rows={hosts}
        keyOf={({ host_id: id }) => id}
        class="plan-hosts"
        columns={hostColumns(account)}
      />
      {all > hosts.length ? (
        <p class="more">
          <a href={`${pageOf.plan(id)}?view=hosts&irreversible=true`}>All {counted(all, 'host')}</a>; the
          first {figure(hosts.length)} are above.
        </p>
      ) : null}
    </Section>
  );
}
