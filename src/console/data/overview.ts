import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Overview } from '../../api/overview.ts';
import type { PageResource } from './resource.ts';

export const OverviewContext = createContext<PageResource<Overview>>({
  value: null,
  problem: null,
  isLoading: true,
  reload: () => {},
});

/** The overview, which the header and the first page share. */
export function useOverview(): PageResource<Overview> {
  return useContext(OverviewContext);
}
