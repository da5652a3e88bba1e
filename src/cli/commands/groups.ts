import { printable } from '../../lib/printable.ts';
import { ungroupedId } from '../../model/group.ts';
import { hostsOf } from '../../model/observed.ts';
import { layOut } from '../../review/table.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import { readFleet } from '../read-fleet.ts';

export async function groups(context: Context): Promise<ExitCode> {
  const read = await readFleet(context, { antivirus: false });
  if (!read.ok) return context.fail(read.problems);
  context.report(read.problems);
  const members = Map.groupBy(hostsOf(read.value), (host) => host.groupId);
  const all = read.value.groups.map(({ id, name }) => ({ id, name, hosts: members.get(id)?.length ?? 0 }));
  if (context.settings.format === 'json') {
    context.printJson(all);
    return exitCodes.success;
  }
  const { bold, dim } = context.settings.outColour;
  const rows = all.map(({ id, name, hosts }) => [
    { text: id },
    name === null
      ? { text: id === ungroupedId ? '(ungrouped)' : '(no name)', paint: dim }
      : { text: printable(name) },
    { text: String(hosts) },
  ]);
  const heading = ['ID', 'NAME', 'HOSTS'].map((text) => ({ text, paint: bold }));
  const columns = ['fixed', 'name', 'fixed'] as const;
  context.print(
    `${layOut([heading, ...rows], { columns, indent: 0, width: context.io.stdout.columns }).join('\n')}\n`,
  );
  return exitCodes.success;
}
