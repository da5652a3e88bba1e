import type { Connection } from '../../accounts/engine/connection.ts';
import { printable } from '../../core/lib/printable.ts';
import { count } from '../../core/lib/words.ts';
import { type InventoryKind, inventoryKinds } from '../../core/model/facts.ts';
import { ok, type Result } from '../../core/problem/problem.ts';
import { csvText } from '../../output/review/csv.ts';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import { listInventoryFields } from '../../service/inventory/choose-fields.ts';
import { cellsOf } from '../../service/inventory/flatten.ts';
import { allInventories, type HostInventory } from '../../service/inventory/host-inventory.ts';
import { inventoryDocument } from '../inventory/inventory-document.ts';
import { readInventory } from '../inventory/open-inventory.ts';
import { printResult, toNdjson } from '../listing/print-listing.ts';
import { withConnection } from '../service/read-fleet.ts';
import type { Context } from '../shell/context.ts';

export interface KindFlag {
  readonly kind?: InventoryKind;
}

export async function inventoryExport(context: Context, { kind }: KindFlag): Promise<ExitCode> {
  const kinds = kind === undefined ? inventoryKinds : [kind];
  const read = await readInventory(context, (cache) => allInventories(cache, kinds));
  if (!read.ok) return context.fail(read.problems);
  context.report(read.problems);
  const { printExactly, printJson, settings, log } = context;
  const hosts = read.value;
  const documents = hosts.map((host) => inventoryDocument(host, kinds));
  if (settings.format === 'json') printJson(documents);
  else if (settings.format === 'ndjson') printExactly(toNdjson(documents));
  else printExactly(toCsv(hosts, kinds));
  log(`${count(hosts.length, 'host')}.`);
  return exitCodes.success;
}

/** One row per host, one column per field; only fields with a value for some host. */
function toCsv(hosts: readonly HostInventory[], kinds: readonly InventoryKind[]): string {
  const rows = hosts.map((host) => ({
    ...host,
    cells: new Map<string, string>(
      kinds.flatMap((kind) => {
        const known = host.inventory[kind];
        if (known === undefined) return [];
        const cells = [...cellsOf(known.record ?? {})].map(
          ([member, text]) => [`${kind}.${member}`, text] as const,
        );
        return [[`${kind}.fetchedAt`, known.fetchedAt] as const, ...cells];
      }),
    ),
  }));
  const members = kinds.flatMap((kind) => {
    const ofKind = new Set<string>(
      rows.flatMap(({ cells }) => [...cells.keys()].filter((key) => key.startsWith(`${kind}.`))),
    );
    ofKind.delete(`${kind}.fetchedAt`);
    return [`${kind}.fetchedAt`, ...[...ofKind].sort()];
  });
  return csvText([
    ['id', 'name', ...members],
    ...rows.map(({ id, name, cells }) => [id, name ?? '', ...members.map((key) => cells.get(key) ?? '')]),
  ]);
}

export async function inventoryFields(context: Context, { kind }: KindFlag): Promise<ExitCode> {
  const kinds = kind === undefined ? inventoryKinds : [kind];
  const listed = await withConnection(context, (connection) => listAll(connection, kinds));
  if (!listed.ok) return context.fail(listed.problems);
  context.report(listed.problems);
  const { bold } = context.settings.outColor;
  return printResult(context, Object.fromEntries(listed.value), () =>
    listed.value
      .flatMap(([each, fields]) => [bold(each), ...fields.map((field) => `  ${printable(field)}`)])
      .map((line) => `${line}\n`)
      .join(''),
  );
}

async function listAll(
  { client }: Connection,
  kinds: readonly InventoryKind[],
): Promise<Result<readonly (readonly [InventoryKind, readonly string[]])[]>> {
  const lists: (readonly [InventoryKind, readonly string[]])[] = [];
  for (const kind of kinds) {
    const listed = await listInventoryFields(client, kind);
    if (!listed.ok) return listed;
    lists.push([kind, listed.value]);
  }
  return ok(lists);
}
