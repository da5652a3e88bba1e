import { printable } from '../../lib/printable.ts';
import { hostsOf } from '../../model/observed.ts';
import { shownName } from '../../review/step-title.ts';
import { layOut } from '../../review/table.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import { readFleet } from '../read-fleet.ts';

export async function hosts(context: Context): Promise<ExitCode> {
  const read = await readFleet(context, { antivirus: false });
  if (!read.ok) return context.fail(read.problems);
  context.report(read.problems);
  const observed = read.value;
  const groupName = (id: (typeof all)[number]['groupId']) => observed.groupById(id)?.name ?? null;
  const all = hostsOf(observed);
  if (context.settings.format === 'json') {
    context.printJson(
      all.map(({ id, name, groupId, online }) => ({
        id,
        name,
        group_id: groupId,
        group: groupName(groupId),
        online,
      })),
    );
    return exitCodes.success;
  }
  const { outColour: colour } = context.settings;
  const rows = all.map(({ id, name, groupId, online }) => [
    { text: id },
    { text: shownName(name) },
    { text: printable(groupName(groupId) ?? (groupId === '-1' ? '-' : `group ${groupId}`)) },
    { text: online ? 'online' : 'offline', paint: online ? colour.green : colour.dim },
  ]);
  const heading = ['ID', 'NAME', 'GROUP', 'STATE'].map((text) => ({ text, paint: colour.bold }));
  const columns = ['fixed', 'name', 'name', 'fixed'] as const;
  context.print(
    `${layOut([heading, ...rows], { columns, indent: 0, width: context.io.stdout.columns }).join('\n')}\n`,
  );
  return exitCodes.success;
}
