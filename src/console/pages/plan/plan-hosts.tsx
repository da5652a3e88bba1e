import type { PlanDetail, ReviewHost } from '../../../api/plans.ts';
import { changeKinds, changeWords } from '../../../output/components/change-words.ts';
import { Choice, Field } from '../../../output/components/field.tsx';
import { type HostSurroundings, hostColumns } from '../../../output/components/host-columns.tsx';
import { counted, figure } from '../../../output/components/numbers.ts';
import { Section } from '../../../output/components/section.tsx';
import { Table } from '../../../output/components/table.tsx';
import { pageOf, useAddress } from '../../browser/address.ts';
import { pathOf } from '../../data/api.ts';
import { usePages } from '../../data/pages.ts';
import { EmptyState, ErrorState, Skeleton } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { VirtualTable } from '../../parts/virtual-table.tsx';

const previewed = 25;

/** Where hosts and problems have pages, and how the console writes times. */
export function aroundHosts(plan: PlanDetail): HostSurroundings {
  return {
    hrefOf: (hostId) => pageOf.host(plan.account, hostId),
    sinceOf: (time) => (
      <>
        seen <Time at={time} />
      </>
    ),
    problemOf: (position) => {
      const problem = plan.problems[position];
      return problem && { href: `${pageOf.plan(plan.id)}#problem-${position}`, code: problem.code };
    },
  };
}

const keyOf = ({ host_id: id }: ReviewHost) => id;

/** The first hosts of a plan, with the way to all of them. */
export function PlanHostsPreview({ plan }: { readonly plan: PlanDetail }) {
  const store = usePages<ReviewHost>(pathOf`/plans/${plan.id}/hosts`, { keyOf, limit: previewed });
  const rows = store.rows.slice(0, previewed);
  return (
    <Section title="Hosts" count={figure(store.total ?? plan.changes)}>
      {store.problem !== null && !store.isRead ? (
        <ErrorState problem={store.problem} tried="Reading the hosts" onRetry={() => store.restart()} />
      ) : !store.isRead ? (
        <Skeleton lines={6} />
      ) : rows.length === 0 ? (
        <EmptyState title="This plan changes no host" />
      ) : (
        <>
          <Table
            label="Hosts"
            rows={rows}
            keyOf={keyOf}
            class="plan-hosts"
            columns={hostColumns(aroundHosts(plan))}
          />
          {store.hasMore ? (
            <p class="more">
              <a href={`${pageOf.plan(plan.id)}?view=hosts`}>
                {store.total === null ? 'All hosts' : `All ${counted(store.total, 'host')}`}, with search
              </a>
            </p>
          ) : null}
        </>
      )}
    </Section>
  );
}

/** All hosts of a plan, searched and paged by the server. */
export function PlanHosts({ plan }: { readonly plan: PlanDetail }) {
  const { get, set } = useAddress();
  const query = get('q');
  const action = get('action');
  const irreversible = get('irreversible');
  const store = usePages<ReviewHost>(pathOf`/plans/${plan.id}/hosts`, {
    keyOf,
    query: { q: query, action, group: get('group'), irreversible },
  });
  const isFiltered = [query, action, get('group'), irreversible].some((each) => each !== '');
  return (
    <Section title="Hosts" count={store.total === null ? undefined : figure(store.total)}>
      <div class="filters" role="search">
        <Field
          label="Search"
          type="search"
          value={query}
          onInput={(value) => set({ q: value })}
          placeholder="Name, id or group"
        />
        <Choice
          label="Change"
          value={irreversible === 'true' ? 'irreversible' : action}
          onChange={(value) =>
            set(
              value === 'irreversible'
                ? { action: null, irreversible: 'true' }
                : { action: value, irreversible: null },
            )
          }
          options={[
            { value: '', text: 'Any' },
            ...(plan.irreversible > 0 ? [{ value: 'irreversible', text: "Can't be undone" }] : []),
            ...changeKinds
              .filter((kind) => plan.counts[kind] > 0)
              .map((kind) => ({ value: kind as string, text: changeWords[kind].verb })),
          ]}
        />
      </div>
      <VirtualTable
        label="Hosts"
        class="plan-hosts-grid"
        columns={hostColumns(aroundHosts(plan))}
        store={store}
        keyOf={keyOf}
        tried="Reading the hosts"
        empty={
          isFiltered ? (
            <EmptyState
              title="No host of this plan matches"
              action={<a href={`${pageOf.plan(plan.id)}?view=hosts`}>Show all hosts</a>}
            />
          ) : (
            <EmptyState title="This plan changes no host" />
          )
        }
      />
    </Section>
  );
}
