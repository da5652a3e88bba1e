import type { KnownFleet } from '../../accounts/engine/read-facts.ts';
import { needsNothing } from '../../core/model/facts.ts';
import { foldName } from '../../core/model/host-name.ts';
import type { ObservedHost } from '../../core/model/observed.ts';
import { ok } from '../../core/problem/problem.ts';
import { hostColumns } from '../../output/review/host-columns.ts';
import type { ExitCode } from '../../run/apply/exit-code.ts';
import { type ListFlags, listHosts } from '../listing/list-hosts.ts';
import type { Context } from '../shell/context.ts';

/** The hosts of the fleet, or those that match a condition and contain a text in their id, name or group. */
export function hosts(context: Context, flags: ListFlags, text?: string): Promise<ExitCode> {
  const { id, name, groupId, group, online } = hostColumns;
  const columns =
    context.settings.format === 'text' ? [id, name, group, online] : [id, name, groupId, group, online];
  return listHosts(context, flags, {
    columns: columns.map(({ key }) => key),
    needs: needsNothing,
    ...(text === undefined ? {} : { filter: (fleet) => ok(contains(text, fleet)) }),
  });
}

/** Ignores case, as the service does in names. */
function contains(text: string, { observed }: KnownFleet): (host: ObservedHost) => boolean {
  const wanted = foldName(text);
  const groups = new Set(
    observed.groups.filter(({ name }) => foldName(name ?? '').includes(wanted)).map(({ id }) => id),
  );
  return ({ id, name, groupId }) =>
    id.includes(wanted) || foldName(name ?? '').includes(wanted) || groups.has(groupId);
}
