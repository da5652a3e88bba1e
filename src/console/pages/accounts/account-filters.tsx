import { Choice } from '../../../output/components/field.tsx';
import { Name } from '../../../output/components/text.tsx';
import { filtersOf, useAddress } from '../../browser/address.ts';
import type { ApiProblem } from '../../data/api.ts';
import { useCause } from '../../data/cause.ts';
import { Button } from '../../parts/button.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { problemText } from '../../parts/states.tsx';
import { accountFilterNames, healthChoices } from '../../words/filters.ts';

/** Search and filters of the list of accounts. The address holds them all. */
export function AccountFilters({ problem }: { readonly problem: ApiProblem | null }) {
  const { get, set } = useAddress();
  const cause = get('cause');
  // The server judges label expressions, and its problem belongs beside the field.
  const whereProblem =
    problem !== null && problem.status === 422
      ? [problemText(problem), problem.hint].filter(Boolean).join('; ')
      : null;
  return (
    <FilterBar chosen={filtersOf(get, accountFilterNames).chosen}>
      <SearchField
        label="Search names"
        placeholder="Part of a name"
        value={get('q')}
        onSearch={(q) => set({ q })}
      />
      <Choice
        label="Health"
        value={get('health')}
        options={healthChoices(get('health'))}
        onChange={(health) => set({ health }, 'push')}
      />
      <SearchField
        label="Labels"
        type="text"
        placeholder={'region == "eu" && tier == "gold"'}
        value={get('where')}
        problem={whereProblem}
        onSearch={(where) => set({ where })}
      />
      {cause === '' ? null : (
        <Button kind="quiet" onClick={() => set({ cause: null })}>
          <CauseName id={cause} /> <span aria-hidden="true">✕</span>
          <span class="unseen">Remove this filter</span>
        </Button>
      )}
    </FilterBar>
  );
}

/** The title of a cause that the list is filtered by. */
function CauseName({ id }: { readonly id: string }) {
  return <Name name={`Cause: ${useCause(id)?.title ?? id}`} />;
}
