import type { Cause } from '../../../api/accounts.ts';
import { Name } from '../../../output/components/text.tsx';
import { useAddress } from '../../browser/address.ts';
import type { Problem } from '../../data/api.ts';
import { useResource } from '../../data/resource.ts';
import { StateMark } from '../../parts/mark.tsx';
import { SavedViews } from '../../parts/saved-views.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { problemText } from '../../parts/states.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { accountViews, toggledHealth } from '../../words/filters.ts';
import { healthMarks, uncheckedMark, worstFirst } from '../../words/health.ts';

/** Views, search and filters of the list of accounts. The address holds them all. */
export function AccountFilters({ problem }: { readonly problem: Problem | null }) {
  const address = useAddress();
  const health = address.get('health');
  const view = accountViews.find((each) => each.health === health)?.key ?? '';
  const cause = address.get('cause');
  // The server judges label expressions, and its problem belongs beside the field.
  const whereProblem =
    problem !== null && problem.status === 422
      ? [problemText(problem), problem.hint].filter(Boolean).join('; ')
      : null;
  return (
    <div class="account-filters">
      <Tabs
        label="Views"
        current={view}
        tabs={accountViews.map(({ key, title, health: of }) => ({
          key,
          title,
          href: address.with({ health: of }),
        }))}
      />
      <div class="filter-fields">
        <SearchField
          label="Search names"
          placeholder="Part of a name"
          value={address.get('q')}
          onSearch={(q) => address.set({ q })}
        />
        <SearchField
          label="Labels"
          type="text"
          placeholder={'region == "eu" && tier == "gold"'}
          value={address.get('where')}
          problem={whereProblem}
          onSearch={(where) => address.set({ where })}
        />
      </div>
      <div class="list-tools">
        <ul class="chips" aria-label="Filter by health">
          {[...worstFirst, 'unchecked' as const].map((each) => {
            const isOn = health.split(',').includes(each);
            return (
              <li key={each}>
                <a
                  class="chip"
                  aria-current={isOn ? 'true' : undefined}
                  href={address.with({ health: toggledHealth(health, each) })}
                >
                  <StateMark mark={each === 'unchecked' ? uncheckedMark : healthMarks[each]} isQuiet />
                </a>
              </li>
            );
          })}
          {cause === '' ? null : (
            <li>
              <a class="chip" aria-current="true" href={address.with({ cause: null })}>
                <CauseName id={cause} /> <span aria-hidden="true">✕</span>
                <span class="unseen">Remove this filter</span>
              </a>
            </li>
          )}
        </ul>
        <SavedViews page="accounts" />
      </div>
    </div>
  );
}

/** The title of a cause that the list is filtered by. */
function CauseName({ id }: { readonly id: string }) {
  const { value } = useResource<{ readonly items: readonly Cause[] }>('/causes', { query: { limit: 200 } });
  const found = value?.items.find((each) => each.id === id);
  return <Name name={`Cause: ${found?.title ?? id}`} />;
}
