import type { PlanDetail, ReviewHost } from '../../../api/plans.ts';
import { changeWords, shownChangeKinds } from '../../../output/components/change-words.ts';
import { Choice, TextField } from '../../../output/components/field.tsx';
import { type HostSurroundings, reviewedHostColumns } from '../../../output/components/host-columns.tsx';
import { figure } from '../../../output/components/numbers.ts';
import { Section } from '../../../output/components/section.tsx';
import { Table } from '../../../output/components/table.tsx';
import { consoleAddress, filtersOf, useAddress } from '../../browser/address.ts';
import { isPrinting } from '../../browser/printing.ts';
import { pathOf } from '../../data/api.ts';
import { usePages } from '../../data/pages.ts';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { VirtualTable } from '../../parts/virtual-table.tsx';

/** Where hosts and problems have pages, and how the console writes times. */
export function aroundHosts(plan: PlanDetail): HostSurroundings {
  return {
    hrefOf: (hostId) => consoleAddress.host(plan.account, hostId),
    sinceOf: (time) => (
      <>
        seen <Time at={time} />
      </>
    ),
    problemOf: (position) => {
      const problem = plan.problems[position];
      return (
        problem && {
          href: `${consoleAddress.change(plan.id, { step: 'plan' })}#problem-${position}`,
          code: problem.code,
        }
      );
    },
  };
}

const keyOf = ({ host_id: id }: ReviewHost) => id;

/** The hosts of a plan, without those that the review lists above, unless the reader searches. */
export function PlanHosts({ plan }: { readonly plan: PlanDetail }) {
  const address = useAddress();
  const { query, chosen, none } = filtersOf(address.get, ['q', 'action', 'irreversible']);
  const { action, irreversible } = query;
  const isFiltered = chosen > 0;
  const store = usePages<ReviewHost>(pathOf`/plans/${plan.id}/hosts`, {
    keyOf,
    query: { ...query, irreversible: isFiltered ? irreversible : 'false' },
  });
  const columns = reviewedHostColumns(aroundHosts(plan));
  return (
    <Section
      id="hosts"
      title={isFiltered || plan.irreversible === 0 ? 'Hosts' : 'All other hosts'}
      count={store.total === null ? undefined : figure(store.total)}
    >
      <FilterBar chosen={chosen}>
        <TextField
          label="Search"
          type="search"
          value={query.q}
          onInput={(value) => address.set({ q: value })}
          placeholder="Name, id or group"
        />
        <Choice
          label="Change"
          value={irreversible === 'true' ? 'irreversible' : action}
          onChange={(value) =>
            address.set(
              value === 'irreversible'
                ? { action: null, irreversible: 'true' }
                : { action: value, irreversible: null },
            )
          }
          options={[
            { value: '', text: 'Any' },
            ...(plan.irreversible > 0 ? [{ value: 'irreversible', text: "Can't be undone" }] : []),
            ...shownChangeKinds
              .filter((kind) => plan.counts[kind] > 0)
              .map((kind) => ({ value: kind as string, text: changeWords[kind].verb })),
          ]}
        />
      </FilterBar>
      {isPrinting.value ? (
        <Table label="Hosts" class="plan-hosts" rows={store.rows} keyOf={keyOf} columns={columns} />
      ) : (
        <VirtualTable
          label="Hosts"
          class="plan-hosts-grid"
          columns={columns}
          store={store}
          keyOf={keyOf}
          tried="Reading the hosts"
          empty={
            isFiltered ? (
              <EmptyState
                title="No host of this plan matches"
                action={<a href={address.with(none)}>Show all hosts</a>}
              />
            ) : (
              <EmptyState
                title={plan.changes === 0 ? 'This plan changes no host' : 'The plan changes no other host'}
              />
            )
          }
        />
      )}
    </Section>
  );
}
