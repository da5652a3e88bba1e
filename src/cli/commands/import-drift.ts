import { adoptDifferences } from '../../accounts/engine/adopt-differences.ts';
import { printable } from '../../core/lib/printable.ts';
import { count } from '../../core/lib/words.ts';
import { type HostId, toHostId } from '../../core/model/observed.ts';
import { type DriftDifference, isCompared, isDrift } from '../../core/plan/drift/drift.ts';
import { ok, type Problem, type Result, warning } from '../../core/problem/problem.ts';
import { byRule, type RefusedChange } from '../../input/writing/change-hosts.ts';
import type { EditedSource } from '../../input/writing/edited-source.ts';
import type { ExitCode } from '../../run/apply/exit-code.ts';
import { chosenHosts } from '../planning/chosen-hosts.ts';
import { type DriftSources, type FoundDrift, readDrift } from '../planning/read-drift.ts';
import { endWith, openStateToEdit, saveEdits } from '../setup/edit-sources.ts';
import { accountWords, type Context } from '../shell/context.ts';

/**
 * Writes what people changed in the fleet into the entries of the desired state: for the selected hosts, or for every
 * host that drifted. If both sides changed, a difference is written only for selected hosts.
 */
export async function importDrift(
  context: Context,
  flags: DriftSources & { readonly dryRun?: true },
  hosts: readonly string[],
): Promise<ExitCode> {
  const state = await openStateToEdit(flags.file ?? [], context);
  if (!state.ok) return context.fail(state.problems);
  const found = await readDrift(context, flags);
  if (!found.ok) return context.fail(found.problems);
  const chosen = choose(hosts, found.value);
  if (!chosen.ok) return context.fail(chosen.problems);
  const { value: ids } = chosen;
  // Hosts that are missing from an incomplete list look deleted, and their entries would be removed.
  if (ids === null && !isCompared(found.value.report)) return context.fail(found.value.report.problems);
  const differences = found.value.report.differences.filter((each) =>
    ids === null ? each.kind === 'drift' && isDrift(each) : ids.has(each.hostId),
  );
  const options = { mayAdd: ids !== null, mayAddTo: state.value.mayAddTo };
  const accepted = adoptDifferences(state.value, found.value.observed, differences, options);
  if (!accepted.ok) return context.fail(accepted.problems);
  const { edited, refused } = accepted.value;
  const saved = await saveEdits(context, state.value, {
    edited,
    dryRun: flags.dryRun === true,
    text: () => `${summary(edited).join('\n')}\n`,
  });
  if (!saved.ok) return context.fail(saved.problems);
  return endWith(context, [
    ...found.value.report.problems,
    ...refused.map((each) => notAdopted(context, each)),
  ]);
}

/** The chosen hosts, also those that were deleted, by the id in their entry; null if none is named. */
function choose(words: readonly string[], found: FoundDrift): Result<ReadonlySet<HostId> | null> {
  if (words.length === 0) return ok(null);
  const different = new Set<string>(found.report.differences.map(({ hostId }) => hostId));
  const others = words.filter((word) => !different.has(word));
  const chosen = chosenHosts(others, 'the argument', found);
  if (!chosen.ok) return chosen;
  return ok(new Set([...chosen.value, ...words.flatMap((word) => toHostId(word) ?? [])]));
}

function notAdopted(context: Context, { of: difference, why }: RefusedChange<DriftDifference>): Problem {
  const { hostId, name, attribute, place } = difference;
  return warning(
    'drift-not-adopted',
    `the ${attribute} of "${name ?? ''}" (${hostId}) was not adopted: ${why}`,
    {
      ...(place === undefined ? {} : { place }),
      hint:
        why === byRule
          ? `add an entry that overrides the rule with: rampart import drift ${hostId}${accountWords(context)}`
          : 'edit the file yourself, or let the next apply revert the change in the fleet',
      hostIds: [hostId],
    },
  );
}

function summary(edited: readonly EditedSource[]): readonly string[] {
  if (edited.length === 0) return ['There was nothing to adopt.'];
  return edited.map(
    ({ source, edits }) => `${printable(source.file)}: adopted ${count(edits.length, 'change')}`,
  );
}
