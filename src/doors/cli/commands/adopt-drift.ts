import { type ExitCode, exitCodes } from '../../../control/engine/exit-code.ts';
import { printable } from '../../../core/lib/printable.ts';
import type { HostId } from '../../../core/model/host-id.ts';
import { type Difference, isDrift } from '../../../core/plan/drift/drift.ts';
import { matchEntries } from '../../../core/plan/intents/match.ts';
import { hasErrors, type Problem, warning } from '../../../core/problem/problem.ts';
import { ok, type Result } from '../../../core/problem/result.ts';
import type { Acceptance } from '../../../input/writing/accept-drift.ts';
import { whyUnclaimable } from '../../../input/writing/claimable-name.ts';
import { createIntents } from '../../../input/writing/draft-fleet.ts';
import { count } from '../../../output/review/count.ts';
import { chosenHosts } from '../planning/chosen-hosts.ts';
import { type DriftSources, type FoundDrift, readDrift } from '../planning/read-drift.ts';
import { acceptChanges } from '../setup/accept-changes.ts';
import {
  checkEdits,
  diffOf,
  type EditedSource,
  type OpenedState,
  openState,
  writeEdits,
} from '../setup/edit-sources.ts';
import type { Context } from '../shell/context.ts';

export interface AdoptDriftFlags extends DriftSources {
  readonly dryRun?: true;
}

/**
 * Writes what people changed in the fleet into the entries of the desired state: for the chosen hosts, or for every
 * host that drifted. Differences of which both sides changed are written only for hosts that are chosen.
 */
export async function adoptDrift(
  context: Context,
  hosts: readonly string[],
  flags: AdoptDriftFlags,
): Promise<ExitCode> {
  const state = await openState(flags.file ?? [], context);
  if (!state.ok) return context.fail(state.problems);
  const found = await readDrift(context, flags);
  if (!found.ok) return context.fail(found.problems);
  const chosen = hosts.length === 0 ? undefined : chosenHosts(hosts, 'the argument', found.value);
  if (chosen?.ok === false) return context.fail(chosen.problems);
  const differences = found.value.report.differences.filter((each) =>
    chosen === undefined ? each.kind === 'drift' && isDrift(each) : chosen.value.has(each.hostId),
  );
  const accepted = acceptAll(state.value, found.value, differences);
  if (!accepted.ok) return context.fail(accepted.problems);
  const edited = accepted.value;
  const checked = checkEdits(context, state.value, edited);
  if (!checked.ok) return context.fail(checked.problems);
  const written = flags.dryRun === true ? ok(null) : await writeEdits(context, edited);
  if (!written.ok) return context.fail(written.problems);

  if (flags.dryRun === true) context.print(diffOf(edited));
  else for (const line of summary(edited)) context.print(`${line}\n`);
  const problems = [...found.value.report.problems, ...accepted.problems];
  if (hasErrors(problems)) return context.fail(problems);
  context.report(problems);
  return exitCodes.success;
}

function acceptAll(
  state: OpenedState,
  found: FoundDrift,
  differences: readonly Difference[],
): Result<readonly EditedSource[]> {
  const intents = createIntents(found.observed);
  const wanted = differences.map((difference) => ({
    hostId: difference.hostId,
    acceptance: acceptanceOf(difference, found, intents),
    difference,
  }));
  const accepted = acceptChanges(state, entriesOf(found), wanted);
  if (!accepted.ok) return accepted;
  const { edited, refused } = accepted.value;
  return ok(
    edited,
    refused.map(({ change, why }) => notAdopted(change.difference, why)),
  );
}

/** The entry of each host, by the host's id: also of hosts that are gone, if the entry pins the id. */
function entriesOf({ desired, observed }: FoundDrift): ReadonlyMap<HostId, number> {
  const matching = matchEntries(desired, observed, { strict: false });
  const gone = matching.awaiting.flatMap(({ id, index }) => (id === undefined ? [] : [[id, index] as const]));
  return new Map([...matching.matches().map(({ entry, host }) => [host.id, entry.index] as const), ...gone]);
}

/** What the entry is to request, or why it can't. */
function acceptanceOf(
  { attribute, hostId, observed: value }: Difference,
  { observed }: FoundDrift,
  intents: ReturnType<typeof createIntents>,
): Acceptance | string {
  if (attribute === 'presence')
    return value === 'absent' ? { kind: 'no-host' } : 'the file requests its deletion';
  const host = observed.byId(hostId);
  if (host === undefined) return 'the list does not have the host';
  switch (attribute) {
    case 'name': {
      const why = whyUnclaimable(host, observed, () => false);
      return why ?? { kind: 'name', name: host.name as string };
    }
    case 'group': {
      const group = intents(host.groupId);
      return group === undefined ? 'the list does not have its group' : { kind: 'group', group };
    }
    case 'antivirus':
      return { kind: 'no-antivirus' };
  }
}

function notAdopted({ hostId, name, attribute, place }: Difference, why: string): Problem {
  return warning(
    'drift-not-adopted',
    `the ${attribute} of "${name ?? ''}" (${hostId}) was not adopted: ${why}`,
    {
      ...(place === undefined ? {} : { place }),
      hint: 'edit the file yourself, or let the next apply revert the change in the fleet',
      hostIds: [hostId],
    },
  );
}

function summary(edited: readonly EditedSource[]): readonly string[] {
  const changed = edited.filter(({ edits }) => edits.length > 0);
  if (changed.length === 0) return ['There was nothing to adopt.'];
  return changed.map(
    ({ source, edits }) => `${printable(source.file)}: adopted ${count(edits.length, 'change')}`,
  );
}
