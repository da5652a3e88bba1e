import { type Connection } from '../../accounts/engine/connection.ts';
import { printable } from '../../core/lib/printable.ts';
import { type InventoryKind, inventoryKinds } from '../../core/model/facts.ts';
import { ok, type Result } from '../../core/problem/result.ts';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import { listInventoryFields } from '../../service/inventory/choose-fields.ts';
import { withConnection } from '../service/read-fleet.ts';
import type { Context } from '../shell/context.ts';

export interface FieldsFlags {
  readonly kind?: InventoryKind;
}

export async function inventoryFields(context: Context, { kind }: FieldsFlags): Promise<ExitCode> {
  const kinds = kind === undefined ? inventoryKinds : [kind];
  const listed = await withConnection(context, (connection) => listAll(connection, kinds));
  if (!listed.ok) return context.fail(listed.problems);
  context.report(listed.problems);
  if (context.settings.format === 'json') {
    context.printJson(Object.fromEntries(listed.value));
    return exitCodes.success;
  }
  for (const [each, fields] of listed.value) {
    context.print(`${context.settings.outColor.bold(each)}\n`);
    for (const field of fields) context.print(`  ${printable(field)}\n`);
  }
  return exitCodes.success;
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
