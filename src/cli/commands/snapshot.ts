import { needsNothing, noFacts } from '../../core/model/facts.ts';
import { printSnapshot } from '../../core/model/snapshot.ts';
import { ok } from '../../core/problem/problem.ts';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import { toNdjson } from '../listing/print-listing.ts';
import { readKnownFleet } from '../service/read-fleet.ts';
import { type Context, writeWhole } from '../shell/context.ts';

export interface SnapshotFlags {
  readonly out?: string;
  readonly antivirus: boolean;
  readonly customFields?: true;
  readonly inventory?: true;
}

/** The fleet in a file: its lists, and the requested facts. */
export async function snapshot(context: Context, flags: SnapshotFlags): Promise<ExitCode> {
  const { out, antivirus, customFields = false } = flags;
  const inventory =
    flags.inventory === true
      ? await (await import('../inventory/open-inventory.ts')).savedInventory(context)
      : ok(noFacts);
  if (!inventory.ok) return context.fail(inventory.problems);
  const fleet = await readKnownFleet(context, { ...needsNothing, antivirus, customFields });
  if (!fleet.ok) return context.fail(fleet.problems);
  context.report(fleet.problems);
  const { account, observed, facts } = fleet.value;
  const { lists, inventoryOf } = inventory.value;
  const text = printSnapshot({
    account,
    observed,
    facts: { ...facts, lists: [...facts.lists, ...lists], inventoryOf },
  });
  if (out === undefined) {
    // The values of a snapshot are texts and small numbers, so parsing them loses nothing.
    context.printExactly(
      context.settings.format === 'ndjson' ? toNdjson([JSON.parse(text) as object]) : text,
    );
    return exitCodes.success;
  }
  const written = await writeWhole(context.path(out), out, text, { mode: 0o600 });
  if (!written.ok) return context.fail(written.problems);
  context.log(`Saved the snapshot to ${out}. Plan with it: rampart plan --observed ${out}`);
  return exitCodes.success;
}
