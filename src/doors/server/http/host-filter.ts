import type { z } from 'zod';
import type { HostFilter } from '../../../control/store/host-filter.ts';
import type { Visible } from '../../../control/store/visible.ts';
import { ok, type Result } from '../../../core/problem/result.ts';
import type { hostsFilter } from '../../api/hosts.ts';
import type { HttpParts } from './http-parts.ts';
import { selectedNames } from './selected-names.ts';

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
