import type { ComponentChildren } from 'preact';
import type { Overview } from '../../api/overview.ts';
import { OverviewContext } from '../data/overview.ts';
import { useResource } from '../data/resource.ts';

/** Reads the overview once for all parts of the page, and again after events. */
export function OverviewProvider({ children }: { readonly children: ComponentChildren }) {
  const overview = useResource<Overview>('/overview', { when: ({ type }) => type !== 'run.event' });
  return <OverviewContext.Provider value={overview}>{children}</OverviewContext.Provider>;
}
