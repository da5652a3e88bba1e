import { needsNothing } from '../../../core/model/facts.ts';
import { hostColumns } from '../../../output/review/host-columns.ts';
import { type ListFlags, listHosts } from '../listing/list-hosts.ts';
import type { Context } from '../shell/context.ts';
import type { ExitCode } from '../shell/exit-code.ts';

/** The hosts of the fleet, or those that match a condition. */
export function hosts(context: Context, flags: ListFlags): Promise<ExitCode> {
  const { id, name, groupId, group, online } = hostColumns;
  const columns =
    context.settings.format === 'text' ? [id, name, group, online] : [id, name, groupId, group, online];
  return listHosts(context, flags, { columns: columns.map(({ key }) => key), needs: needsNothing });
}
