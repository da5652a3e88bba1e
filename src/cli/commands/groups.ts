import { printable } from '../../core/lib/printable.ts';
import { count } from '../../core/lib/words.ts';
import { type GroupId, hostsOf, type Observed, ungroupedId } from '../../core/model/observed.ts';
import type { Column } from '../../output/review/columns.ts';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import { printListing } from '../listing/print-listing.ts';
import { readFleet } from '../service/read-fleet.ts';
import type { Context } from '../shell/context.ts';

interface GroupRow {
  readonly id: GroupId;
  readonly name: string | null;
  readonly hosts: number;
  readonly online: number;
}

const columns: readonly Column<GroupRow>[] = [
  { key: 'id', kind: 'fixed', value: ({ id }) => BigInt(id) },
  {
    key: 'name',
    kind: 'name',
    value: ({ name }) => name,
    cell: ({ id, name }, { dim }) =>
      name === null
        ? { text: id === ungroupedId ? '(ungrouped)' : '(no name)', paint: dim }
        : { text: printable(name) },
  },
  { key: 'hosts', kind: 'fixed', value: ({ hosts }) => hosts },
  { key: 'online', kind: 'fixed', value: ({ online }) => online },
];

/** The groups, with their numbers of hosts. */
export async function groups(context: Context): Promise<ExitCode> {
  const read = await readFleet(context, { antivirus: false });
  if (!read.ok) return context.fail(read.problems);
  context.report(read.problems);
  const rows = groupRows(read.value);
  printListing(context, rows, columns);
  if (context.settings.format === 'text') context.log(summary(rows));
  return exitCodes.success;
}

/** Includes groups that hosts are in but the list of groups leaves out. */
function groupRows(observed: Observed): readonly GroupRow[] {
  const members = Map.groupBy(hostsOf(observed), (host) => host.groupId);
  const unlisted = [...members.keys()].filter((id) => observed.groupById(id) === undefined);
  return [...observed.groups, ...unlisted.map((id) => ({ id, name: null }))].map(({ id, name }) => {
    const hosts = members.get(id) ?? [];
    return { id, name, hosts: hosts.length, online: hosts.filter(({ online }) => online).length };
  });
}

/** The row of ungrouped hosts is not a group. */
function summary(rows: readonly GroupRow[]): string {
  const ungrouped = rows.find(({ id }) => id === ungroupedId);
  const real = rows.filter((row) => row !== ungrouped);
  const hosts = rows.reduce((sum, row) => sum + row.hosts, 0);
  const online = rows.reduce((sum, row) => sum + row.online, 0);
  return `${count(real.length, 'group')}, ${count(hosts, 'host')} (${online} online, ${ungrouped?.hosts ?? 0} in no group).`;
}
