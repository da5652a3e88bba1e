import type { Facets } from '../../../api/hosts.ts';
import { figure } from '../../../output/components/numbers.ts';
import { Name } from '../../../output/components/text.tsx';
import { useAddress } from '../../browser/address.ts';
import { useWideWindow } from '../../parts/filter-bar.tsx';
import { SearchField } from '../../parts/search-field.tsx';

/** Filters of the list of hosts, each with how many hosts it leaves. */
export function HostFilters({ facets: value }: { readonly facets: Facets | null }) {
  const address = useAddress();
  const isWide = useWideWindow('64rem');
  const isComplete = value?.is_complete !== false;
  return (
    <details class="facets" open={isWide}>
      <summary>Filters</summary>
      <div class="facets-inside">
        <SearchField
          label="Labels of accounts"
          type="text"
          placeholder={'region == "eu"'}
          value={address.get('where')}
          onSearch={(where) => address.set({ where })}
        />
        <FacetList
          title="Difference"
          name="drifted"
          values={value === null ? [] : [{ value: 'true', hosts: value.drifted }]}
          isComplete={value === null || value.drifted < mostCounted}
          textOf={(each) => (each === 'true' ? 'differs' : 'as desired')}
        />
        <FacetList title="State" name="state" values={value?.states ?? []} isComplete={isComplete} />
        <FacetList title="Group" name="group" values={value?.groups ?? []} isComplete={isComplete} />
        <FacetList title="Account" name="account" values={value?.accounts ?? []} isComplete={isComplete} />
      </div>
    </details>
  );
}

interface FacetListProps {
  readonly title: string;
  readonly name: string;
  readonly values: readonly { readonly value: string; readonly hosts: number }[];
  /** Otherwise each value has at least this many hosts: more match than the server counts. */
  readonly isComplete: boolean;
  readonly textOf?: (value: string) => string;
}

const most = 8;
/** The server counts no more hosts. */
const mostCounted = 10_000;

function FacetList({ title, name, values, isComplete, textOf = (value) => value }: FacetListProps) {
  const address = useAddress();
  const chosen = address.get(name);
  const isListed = chosen === '' || values.some(({ value }) => value === chosen);
  const shown = isListed
    ? values.slice(0, most)
    : [{ value: chosen, hosts: 0 }, ...values.slice(0, most - 1)];
  if (shown.length === 0) return null;
  return (
    <div class="facet">
      <h2>{title}</h2>
      <ul>
        {shown.map(({ value, hosts }) => {
          const isOn = value === chosen;
          return (
            <li key={value}>
              <a
                aria-current={isOn ? 'true' : undefined}
                href={address.with({ [name]: isOn ? null : value })}
              >
                <Name name={textOf(value)} />
                <span class="facet-count">{isOn ? '✕' : `${figure(hosts)}${isComplete ? '' : '+'}`}</span>
                {isOn ? <span class="unseen">Remove this filter</span> : null}
              </a>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
