import type { z } from 'zod';
import type { Visible } from '../../../api/access/grants.ts';
import type { hostsFilter, hostsQuery } from '../../../api/hosts.ts';
import { ok, type Result } from '../../../core/problem/problem.ts';
import { selectedNames } from '../../accounts/routes/selected-names.ts';
import type { ListPage } from '../../database/page.ts';
import type { HttpParts } from '../../http/route.ts';
import type { HostFilter } from '../records/host-filter.ts';
import type { HostRecord } from '../records/hosts.ts';

/** The filter of a search, with the accounts that `where` and `account` leave. */
export function hostFilterOf(
  query: z.output<typeof hostsFilter>,
  visible: Visible,
  { settings }: Pick<HttpParts, 'settings'>,
): Result<HostFilter> {
  const selected = query.where === undefined ? ok(undefined) : selectedNames(settings, query.where, visible);
  if (!selected.ok) return selected;
  const { account } = query;
  const accounts =
    account === undefined
      ? selected.value
      : selected.value === undefined || selected.value.includes(account)
        ? [account]
        : [];
  return ok({
    visible,
    text: query.q,
    accounts,
    group: query.group,
    state: query.state,
    drifted: query.drifted === undefined ? undefined : query.drifted === 'true',
  });
}

/** One page of a search. */
export async function searchHosts(
  query: z.output<typeof hostsQuery>,
  visible: Visible,
  parts: Pick<HttpParts, 'settings' | 'store'>,
): Promise<Result<ListPage<HostRecord>>> {
  const filter = hostFilterOf(query, visible, parts);
  if (!filter.ok) return filter;
  const { cursor, limit } = query;
  return parts.store.hosts.list({ ...filter.value, cursor, limit });
}
