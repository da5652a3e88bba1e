import { printable } from '../../core/lib/printable.ts';
import { count } from '../../core/lib/words.ts';
import type { Desired } from '../../core/model/desired.ts';
import { noPolicy } from '../../core/model/policy.ts';
import { hostKeysOf } from '../../core/plan/intents/fleet-facts.ts';
import { matchEntries } from '../../core/plan/intents/match.ts';
import { type Match } from '../../core/plan/intents/matching.ts';
import { ok, type Problem, type Result, warning } from '../../core/problem/problem.ts';
import { changeHosts } from '../../input/writing/change-hosts.ts';
import type { EditedSource } from '../../input/writing/edited-source.ts';
import type { ExitCode } from '../../run/apply/exit-code.ts';
import { fleetToPlan } from '../planning/planning.ts';
import { endWith, type OpenedState, openStateToEdit, saveEdits } from '../setup/edit-sources.ts';
import type { Context } from '../shell/context.ts';

export interface ImportIdsFlags {
  readonly file?: readonly string[];
  /** A snapshot to match with, and no credentials. */
  readonly observed?: string;
  readonly dryRun?: true;
}

/**
 * Writes ids into the entries that identify a host by name, and replaces those of hosts with a successor. Reports entries that could mean several hosts, and leaves
 * them unchanged.
 */
export async function importIds(context: Context, flags: ImportIdsFlags): Promise<ExitCode> {
  const state = await openStateToEdit(flags.file ?? [], context);
  if (!state.ok) return context.fail(state.problems);
  const { desired } = state.value;
  const { tables: _, ...withoutTables } = desired;
  const entriesOnly: Desired = { ...withoutTables, rules: [], policy: noPolicy };
  const read = await fleetToPlan(context, entriesOnly, flags);
  if (!read.ok) return context.fail(read.problems);

  const now = new Date(context.io.clock.now()).toISOString();
  const { observed } = read.value;
  const keys = hostKeysOf({ ...read.value, desired, now });
  const matching = matchEntries(desired, observed, { strict: false, keys });
  const named = matching.matches().filter(({ entry, host }) => entry.id !== host.id);
  const pinned = pinAll(state.value, named);
  if (!pinned.ok) return context.fail(pinned.problems);
  const { edited, matches } = pinned.value;
  const saved = await saveEdits(context, state.value, {
    edited,
    dryRun: flags.dryRun === true,
    document: () => ({ pinned: matches.map(toReport(desired)) }),
    text: () => `${summary(edited).join('\n')}\n`,
  });
  if (!saved.ok) return context.fail(saved.problems);
  return endWith(context, [...state.problems, ...read.problems, ...matching.problems, ...pinned.problems]);
}

interface Pinned {
  readonly edited: readonly EditedSource[];
  /** The matches that the edits pin. */
  readonly matches: readonly Match[];
}

function pinAll(state: OpenedState, named: readonly Match[]): Result<Pinned> {
  const { desired, mayAddTo = () => true } = state;
  const mayPin = ({ entry }: Match) => mayAddTo(desired.placeOf(entry.index).file);
  const changes = named.filter(mayPin).map((match) => {
    const { entry, host } = match;
    return { hostId: host.id, entry: entry.index, change: { kind: 'id', id: host.id }, of: match } as const;
  });
  const changed = changeHosts(state, changes, { mayAdd: true });
  if (!changed.ok) return changed;
  const { edited, refused } = changed.value;
  const unpinned = new Set(refused.map(({ of }) => of));
  const isPinned = (match: Match) => mayPin(match) && !unpinned.has(match);
  const left = named.filter((match) => !isPinned(match));
  return ok({ edited, matches: named.filter(isPinned) }, notEditable(desired, left));
}

function notEditable(desired: Desired, matches: readonly Match[]): readonly Problem[] {
  return matches.map(({ entry, host }) =>
    warning('missing-key', `the id ${host.id} of "${host.name}" can't be written here`, {
      place: desired.placeOf(entry.index),
      hint: 'import ids writes only into YAML entries, and not into files that other accounts have too',
      hostIds: [host.id],
    }),
  );
}

function toReport(desired: Desired): (match: Match) => object {
  return ({ entry, host }) => {
    const { file, line } = desired.placeOf(entry.index);
    return { file, line, id: host.id, name: host.name };
  };
}

function summary(edited: readonly EditedSource[]): readonly string[] {
  const changed = edited.filter(({ edits }) => edits.length > 0);
  if (changed.length === 0) return ['No entry needs an id.'];
  return changed.map(
    ({ source, edits }) => `${printable(source.file)}: ${count(edits.length, 'id')} written`,
  );
}
