import { printable } from '../../core/lib/printable.ts';
import { layOut } from '../../output/review/table.ts';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import { ageWords } from '../../service/inventory/age-words.ts';
import {
  type InventoryStatus,
  inventoryStatus as statusOf,
} from '../../service/inventory/inventory-status.ts';
import { readInventory } from '../inventory/open-inventory.ts';
import type { Context } from '../shell/context.ts';

export async function inventoryStatusCommand(context: Context): Promise<ExitCode> {
  const read = await readInventory(context, statusOf);
  if (!read.ok && !read.problems.every(({ code }) => code === 'inventory-missing')) {
    return context.fail(read.problems);
  }
  const all = read.ok ? read.value : [];
  if (read.ok) context.report(read.problems);
  if (context.settings.format === 'json') context.printJson(all.map(toDocument));
  else if (all.length > 0) printTable(context, all);
  else context.print('No inventory of this account is cached. Run: rampart hosts inventory pull\n');
  return exitCodes.success;
}

function printTable({ io, print, settings }: Context, all: readonly InventoryStatus[]): void {
  const now = io.clock.now();
  const age = (time: number | null) => (time === null ? '-' : ageWords(now - time));
  const heading = ['INVENTORY', 'HOSTS', 'WITHOUT', 'NOT FETCHED', 'OLDEST', 'NEWEST', 'FIELDS'];
  const rows = all.map((status) => [
    status.kind,
    String(status.known),
    String(status.absent),
    String(status.unasked),
    age(status.oldest),
    age(status.newest),
    status.fields.map(({ fields }) => (fields === null ? 'all' : fields.join(', '))).join(' | ') || '-',
  ]);
  const cells = [
    heading.map((text) => ({ text, paint: settings.outColor.bold })),
    ...rows.map((row) => row.map((text) => ({ text: printable(text) }))),
  ];
  const columns = ['fixed', 'fixed', 'fixed', 'fixed', 'fixed', 'fixed', 'name'] as const;
  print(`${layOut(cells, { columns, indent: 0, width: io.stdout.columns }).join('\n')}\n`);
}

function toDocument({
  kind,
  known,
  absent,
  unasked,
  oldest,
  newest,
  fields,
  hostsPerReport,
}: InventoryStatus) {
  const moment = (time: number | null) => (time === null ? null : new Date(time).toISOString());
  return {
    kind,
    hosts: known,
    without: absent,
    not_asked: unasked,
    oldest: moment(oldest),
    newest: moment(newest),
    fields,
    hosts_per_report: hostsPerReport,
  };
}
