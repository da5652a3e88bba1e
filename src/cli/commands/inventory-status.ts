import { printable } from '../../core/lib/printable.ts';
import { inventoryKinds } from '../../core/model/facts.ts';
import { failed, ok, problem } from '../../core/problem/problem.ts';
import type { Column } from '../../output/review/columns.ts';
import { shownName } from '../../output/review/step-title.ts';
import { layOut } from '../../output/review/table.ts';
import type { ExitCode } from '../../run/apply/exit-code.ts';
import { ageWords } from '../../service/inventory/age-words.ts';
import { leavesOf } from '../../service/inventory/flatten.ts';
import { type HostInventory, hostInventory } from '../../service/inventory/host-inventory.ts';
import {
  type InventoryStatus,
  inventoryStatus as statusOf,
} from '../../service/inventory/inventory-status.ts';
import { inventoryDocument } from '../inventory/inventory-document.ts';
import { readInventory } from '../inventory/open-inventory.ts';
import { findHost } from '../listing/find-host.ts';
import { printListing, printResult } from '../listing/print-listing.ts';
import { accountWords, type Context } from '../shell/context.ts';

export async function inventoryStatusCommand(context: Context): Promise<ExitCode> {
  const read = await readInventory(context, statusOf);
  if (!read.ok && !read.problems.every(({ code }) => code === 'inventory-missing')) {
    return context.fail(read.problems);
  }
  const all = read.ok ? read.value : [];
  if (read.ok) context.report(read.problems);
  return printListing(context, all, columnsAt(context.io.clock.now()), {
    document: toDocument,
    empty: `No inventory of this account is cached. Run: rampart hosts inventory pull${accountWords(context)}\n`,
  });
}

function columnsAt(now: number): readonly Column<InventoryStatus>[] {
  const age = (time: number | null) => (time === null ? null : ageWords(now - time));
  return [
    { key: 'inventory', kind: 'fixed', value: ({ kind }) => kind },
    { key: 'hosts', kind: 'fixed', value: ({ known }) => known },
    { key: 'without', kind: 'fixed', value: ({ absent }) => absent },
    { key: 'not-fetched', kind: 'fixed', value: ({ unasked }) => unasked },
    { key: 'oldest', kind: 'fixed', value: ({ oldest }) => age(oldest) },
    { key: 'newest', kind: 'fixed', value: ({ newest }) => age(newest) },
    { key: 'fields', kind: 'name', value: ({ fields }) => fields.map(fieldWords).join(' | ') || null },
  ];
}

function fieldWords({ fields }: InventoryStatus['fields'][number]): string {
  return fields === null ? 'all' : fields.join(', ');
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

/** Finds hosts by the names that the latest pull listed. */
export async function inventoryShow(context: Context, _flags: unknown, word: string): Promise<ExitCode> {
  const read = await readInventory(context, (cache) => {
    const host = findHost(
      word,
      [...cache.names()].map(([id, name]) => ({ id, name })),
    );
    return host.ok ? ok(hostInventory(cache, host.value.id)) : host;
  });
  if (!read.ok) return context.fail(read.problems);
  context.report(read.problems);
  const found = read.value.ok && isEmpty(read.value.value) ? notAsked(context, read.value.value) : read.value;
  if (!found.ok) return context.fail(found.problems);
  const host = found.value;
  return printResult(context, inventoryDocument(host, inventoryKinds), () => paintHost(context, host));
}

function isEmpty({ inventory }: HostInventory): boolean {
  return Object.keys(inventory).length === 0;
}

function notAsked(context: Context, { id }: HostInventory) {
  return failed(
    problem('inventory-missing', `the inventory of host ${id} has not been fetched yet`, {
      hint: `run: rampart hosts inventory pull --host ${id}${accountWords(context)}`,
      hostIds: [id],
    }),
  );
}

function paintHost({ io, settings }: Context, { id, name, inventory }: HostInventory): string {
  const { bold, dim } = settings.outColor;
  const lines = [`${bold(shownName(name))}  ${id}`];
  for (const kind of inventoryKinds) {
    const known = inventory[kind];
    if (known === undefined) continue;
    const age = ageWords(io.clock.now() - Date.parse(known.fetchedAt));
    lines.push('', `${bold(kind)}  ${dim(`${age} old`)}`);
    const leaves = known.record === null ? [] : leavesOf(known.record);
    if (leaves.length === 0) {
      lines.push(known.record === null ? '  the host has none' : '  none of the fields has a value');
      continue;
    }
    const rows = leaves.map(({ path, value }) => [
      { text: printable(path) },
      { text: printable(String(value ?? '')) },
    ]);
    lines.push(...layOut(rows, { columns: ['fixed', 'name'], indent: 2, width: io.stdout.columns }));
  }
  return `${lines.join('\n')}\n`;
}
