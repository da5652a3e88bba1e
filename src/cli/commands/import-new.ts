import { normalize } from 'node:path';
import { printable } from '../../core/lib/printable.ts';
import { count } from '../../core/lib/words.ts';
import type { Desired } from '../../core/model/desired.ts';
import type { Entry } from '../../core/model/entry.ts';
import { foldName } from '../../core/model/host-name.ts';
import { matchEntries } from '../../core/plan/intents/match.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import { decodeSource, type Source } from '../../input/sources/decode-source.ts';
import { addHosts } from '../../input/writing/add-hosts.ts';
import { draftFleet } from '../../input/writing/draft-fleet.ts';
import { isEditable } from '../../input/writing/edited-source.ts';
import { countHosts, type FleetDraft } from '../../input/writing/fleet-draft.ts';
import type { ExitCode } from '../../run/apply/exit-code.ts';
import { printLeftOutNames } from '../setup/draft-words.ts';
import { endWith, type OpenedState, openStateToEdit, saveEdits } from '../setup/edit-sources.ts';
import { readLiveOrSaved } from '../setup/live-or-saved.ts';
import type { Context } from '../shell/context.ts';

export interface ImportNewFlags {
  readonly file?: readonly string[];
  /** The file that gets the new hosts; the last one if absent. */
  readonly into?: string;
  readonly observed?: string;
  readonly antivirus?: true;
  readonly dryRun?: true;
}

/** Adds the hosts without an entry to the files, and lists the entries without a host. */
export async function importNew(context: Context, flags: ImportNewFlags): Promise<ExitCode> {
  const state = await openStateToEdit(flags.file ?? [], context);
  if (!state.ok) return context.fail(state.problems);
  const { desired } = state.value;
  const target = chooseTarget(state.value, flags.into);
  if (!target.ok) return context.fail(target.problems);
  const antivirus = flags.antivirus === true;
  const read = await readLiveOrSaved(context, { saved: flags.observed, antivirus, desired });
  if (!read.ok) return context.fail(read.problems);
  const { account, observed } = read.value;

  const matching = matchEntries(desired, observed, { strict: false });
  const taken = namesIn(desired);
  const draft = draftFleet(observed, {
    companyId: account.companyId,
    antivirus,
    includes: ({ id }) => !matching.mayBeClaimed(id),
    isTaken: (folded) => taken.has(folded),
  });
  const text = decodeSource(target.value);
  const edits = text.ok ? addHosts(text.value, draft) : text;
  if (!edits.ok) return context.fail(edits.problems);
  const edited = [{ source: target.value, edits: edits.value }];
  const { file } = target.value;
  const saved = await saveEdits(context, state.value, {
    edited,
    dryRun: flags.dryRun === true,
    document: () => toReport(file, draft, matching.awaiting),
    text: () => `${printable(file)}: ${count(countHosts(draft), 'host')} added\n`,
  });
  if (!saved.ok) return context.fail(saved.problems);
  printLeftOutNames(context, draft);
  return endWith(context, [...state.problems, ...read.problems, ...matching.problems]);
}

function chooseTarget(
  { sources, mayAddTo = () => true }: OpenedState,
  into: string | undefined,
): Result<Source> {
  const editable = sources.filter((each) => isEditable(each) && mayAddTo(each.file));
  const chosen =
    into === undefined ? editable.at(-1) : editable.find(({ file }) => normalize(file) === normalize(into));
  if (chosen !== undefined) return ok(chosen);
  const names = editable.map(({ file }) => file).join(', ');
  return failed(
    into === undefined
      ? problem('usage', 'no file can get the hosts: each is a script, or other accounts have it too')
      : problem('usage', `${into} is not a YAML file of this desired state alone`, {
          hint: names === '' ? 'add a YAML file with -f' : `the files are ${names}`,
        }),
  );
}

/** Every name that an entry claims or lists as an earlier name: a second claim would be a contradiction. */
function namesIn(desired: Desired): ReadonlySet<string> {
  const names = new Set<string>();
  for (let index = 0; index < desired.count; index += 1) {
    const { name, previously } = desired.at(index);
    if (name !== undefined) names.add(foldName(name));
    for (const each of previously) names.add(foldName(each));
  }
  return names;
}

function toReport(file: string, { groups }: FleetDraft, awaiting: readonly Entry[]): object {
  return {
    file,
    added: groups.flatMap(({ hosts }) => hosts.map(({ id, current }) => ({ id, name: current }))),
    missing: awaiting.map(({ id, name }) => ({ id: id ?? null, name: name ?? null })),
  };
}
