import { printable } from '../../core/lib/printable.ts';
import { inventoryKinds } from '../../core/model/facts.ts';
import { problem } from '../../core/problem/problem.ts';
import { failed, ok } from '../../core/problem/result.ts';
import { shownName } from '../../output/review/step-title.ts';
import { layOut } from '../../output/review/table.ts';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import { ageWords } from '../../service/inventory/age-words.ts';
import { leavesOf } from '../../service/inventory/flatten.ts';
import { type HostInventory, hostInventory } from '../../service/inventory/host-inventory.ts';
import { inventoryDocument } from '../inventory/inventory-document.ts';
import { readInventory } from '../inventory/open-inventory.ts';
import { findHost } from '../listing/find-host.ts';
import type { Context } from '../shell/context.ts';

/** Finds hosts by the names that the latest pull listed. */
export async function inventoryShow(context: Context, word: string): Promise<ExitCode> {
  const read = await readInventory(context, (cache) => {
    const host = findHost(
      word,
      [...cache.names()].map(([id, name]) => ({ id, name })),
    );
    return host.ok ? ok(hostInventory(cache, host.value.id)) : host;
  });
  if (!read.ok) return context.fail(read.problems);
  context.report(read.problems);
  const found = read.value.ok && isEmpty(read.value.value) ? notAsked(read.value.value) : read.value;
  if (!found.ok) return context.fail(found.problems);
  if (context.settings.format === 'json') context.printJson(inventoryDocument(found.value, inventoryKinds));
  else printHost(context, found.value);
  return exitCodes.success;
}

function isEmpty({ inventory }: HostInventory): boolean {
  return Object.keys(inventory).length === 0;
}

function notAsked({ id }: HostInventory) {
  return failed(
    problem('inventory-missing', `the inventory of host ${id} was not fetched yet`, {
      hint: `run: rampart hosts inventory pull --host ${id}`,
      hostIds: [id],
    }),
  );
}

function printHost({ io, print, settings }: Context, { id, name, inventory }: HostInventory): void {
  const { bold, dim } = settings.outColor;
  print(`${bold(shownName(name))}  ${id}\n`);
  for (const kind of inventoryKinds) {
    const known = inventory[kind];
    if (known === undefined) continue;
    const age = ageWords(io.clock.now() - Date.parse(known.fetchedAt));
    print(`\n${bold(kind)}  ${dim(`${age} old`)}\n`);
    const leaves = known.record === null ? [] : leavesOf(known.record);
    if (leaves.length === 0) {
      print(known.record === null ? '  the host has none\n' : '  none of the fields has a value\n');
      continue;
    }
    const rows = leaves.map(({ path, value }) => [
      { text: printable(path) },
      { text: printable(String(value ?? '')) },
    ]);
    const lines = layOut(rows, { columns: ['fixed', 'name'], indent: 2, width: io.stdout.columns });
    print(`${lines.join('\n')}\n`);
  }
}
