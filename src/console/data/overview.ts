import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Overview } from '../../api/overview.ts';
import type { Resource } from './resource.ts';

export const OverviewContext = createContext<Resource<Overview>>({
  value: null,
  problem: null,
  isLoading: true,
  reload: () => {},
});

/** The overview, which the header and the first page share. */
export function useOverview(): Resource<Overview> {
  return useContext(OverviewContext);
}
