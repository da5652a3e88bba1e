import type { AccountConfig } from '../../../accounts/config/account-config.ts';
import { isListedBy } from '../../../accounts/config/touched-accounts.ts';
import { adoptDifferences, entriesOfHosts } from '../../../accounts/engine/adopt-differences.ts';
import { sha256Hex } from '../../../core/lib/hash.ts';
import type { Desired } from '../../../core/model/desired.ts';
import type { HostId } from '../../../core/model/observed.ts';
import { failed, ok, problem, type Result } from '../../../core/problem/problem.ts';
import { openSourceFiles, readEdited, readOpened, registersOf } from '../../../input/load-desired.ts';
import type { Source } from '../../../input/sources/decode-source.ts';
import { type ChangedHosts, changeHosts } from '../../../input/writing/change-hosts.ts';
import { type EditedSource, type OpenedSources, patchOf } from '../../../input/writing/edited-source.ts';
import type { TextEdit } from '../../../input/writing/text-edit.ts';
import type { DriftRecord } from '../../hosts/records/hosts.ts';
import { storedFleet } from '../../hosts/rules/stored-fleet.ts';
import type { JobParts } from '../../queue/rules/job-parts.ts';
import { accountNamed } from '../../settings/configured-account.ts';
import type { DesiredFiles } from '../../sources/rules/desired-states.ts';
import { type ChosenHost, type SelectedChange, selectedChanges } from '../decisions/selected-changes.ts';

/** The change: the same for all hosts, or the fleet's value in these differences. */
export type DraftedChange =
  | SelectedChange
  | { readonly kind: 'adopt'; readonly drift: readonly DriftRecord[] };

/** The edits of all sources, as they were at one commit each. */
export interface ProposalDraft {
  /** Names exactly these edits. */
  readonly digest: string;
  readonly patches: readonly SourcePatch[];
  readonly accounts: readonly AccountDraft[];
  readonly refused: readonly (ChosenHost & { readonly why: string })[];
}

export interface SourcePatch {
  readonly source: string;
  readonly commit: string;
  readonly edited: readonly EditedSource[];
  readonly patch: string;
}

export interface AccountDraft {
  readonly config: AccountConfig;
  readonly source: string;
  readonly before: Desired;
  readonly after: Desired;
}

type Parts = Pick<JobParts, 'settings' | 'store' | 'desired'>;

/** The whole fleet of each account is kept in memory while its entries are found. */
const mostHosts = 100_000;

/**
 * Changes what the desired states of these hosts request, without writing anything. The fleet is that of the last
 * check, from which the caller selected, so the same selection makes the same edits until something changes.
 */
export async function draftProposal(
  hosts: readonly ChosenHost[],
  change: DraftedChange,
  parts: Parts,
): Promise<Result<ProposalDraft>> {
  const opened: OpenedAccount[] = [];
  const refused: (ChosenHost & { why: string })[] = [];
  const byAccount = Map.groupBy(hosts, ({ account }) => account);
  const requests = change.kind === 'adopt' ? [] : selectedChanges(hosts, change);
  for (const [name, chosen] of byAccount) {
    const account = await openAccountFiles(name, parts);
    if (!account.ok) return account;
    const { state, observed, mayAddTo } = account.value;
    const options = { mayAdd: true, mayAddTo };
    const own = requests.filter((each) => each.account === name);
    const entries = entriesOfHosts(state.desired, observed);
    const changed: Result<ChangedHosts<ChosenHost>> =
      change.kind === 'adopt'
        ? adoptDifferences(state, observed, adoptable(change.drift, chosen), options)
        : changeHosts(
            state,
            own.flatMap((each) =>
              'change' in each
                ? [{ hostId: each.hostId, entry: entries.get(each.hostId), change: each.change, of: each }]
                : [],
            ),
            options,
          );
    if (!changed.ok) return changed;
    refused.push(
      ...own.flatMap((each) => ('why' in each ? [each] : [])),
      ...changed.value.refused.map(({ of, why }) => ({ ...of, why })),
    );
    opened.push({ ...account.value, edited: changed.value.edited });
  }
  return join(opened, refused);
}

interface OpenedAccount {
  readonly config: AccountConfig;
  readonly files: DesiredFiles;
  readonly state: OpenedSources & { readonly desired: Desired };
  readonly observed: ReturnType<typeof storedFleet>;
  /** Entries of hosts go only into files of their own account: another one does not have the host. */
  readonly mayAddTo: (file: string) => boolean;
  readonly edited: readonly EditedSource[];
}

async function openAccountFiles(
  name: string,
  { settings, store, desired }: Parts,
): Promise<Result<Omit<OpenedAccount, 'edited'>>> {
  const config = accountNamed(settings, name);
  if (config === undefined)
    return failed(problem('configuration', `the account "${name}" is no longer configured`));
  const files = await desired.locate(config);
  if (!files.ok) return files;
  const { folder, paths, noScripts, source } = files.value;
  const sources = await openSourceFiles(paths, {
    cwd: folder,
    ...(noScripts === undefined ? {} : { noScripts }),
  });
  if (!sources.ok) return sources;
  const registers = await registersOf(sources.value, {
    fetchRegister: (request) => desired.register(source, request).content,
  });
  const { desired: read, ...state } = readOpened(sources.value, folder, registers);
  if (!read.ok) return read;
  const hosts = await store.hosts.all(name, mostHosts + 1);
  if (hosts.length > mostHosts) return failed(tooLarge(name));
  const others: Pick<AccountConfig, 'files'>[] = [];
  for (const each of settings.accounts) {
    const located = each.name === name ? undefined : await desired.locate(each);
    if (located?.ok === true && located.value.source === source) others.push({ files: located.value.paths });
  }
  return ok({
    config,
    files: files.value,
    state: { ...state, desired: read.value },
    observed: storedFleet(hosts),
    mayAddTo: (file) => !isListedBy(others, file),
  });
}

/** The differences of the chosen hosts, in the words of the planner. */
function adoptable(drift: readonly DriftRecord[], chosen: readonly ChosenHost[]) {
  const ids = new Set<string>(chosen.map(({ hostId }) => hostId));
  const account = chosen[0]?.account;
  return drift
    .filter((each) => each.account === account && ids.has(each.host_id))
    .map(({ account: of, host_id: hostId, name, attribute, live }) => ({
      account: of,
      hostId: hostId as HostId,
      name,
      attribute,
      observed: live ?? '',
    }));
}

/** One patch for each source, although accounts may share files. */
function join(opened: readonly OpenedAccount[], refused: ProposalDraft['refused']): Result<ProposalDraft> {
  const patches: SourcePatch[] = [];
  const accounts: AccountDraft[] = [];
  for (const [source, own] of Map.groupBy(opened, ({ files }) => files.source)) {
    const edited = sharedEdits(own);
    if (!edited.ok) return edited;
    const commit = own[0]?.files.commit ?? '';
    if (own.some(({ files }) => files.commit !== commit)) return failed(movedOn(source));
    patches.push({ source, commit, edited: edited.value, patch: patchOf(edited.value) });
    for (const { config, files, state } of own) {
      const after = readEdited(state, edited.value, files.folder);
      if (!after.ok) return failed(unreadable(config.name), ...after.problems);
      accounts.push({ config, source, before: state.desired, after: after.value });
    }
  }
  const changing = patches.filter(({ patch }) => patch !== '');
  const digest = sha256Hex(
    JSON.stringify(changing.map(({ source, commit, patch }) => [source, commit, patch])),
  );
  return ok({ digest, patches: changing, accounts, refused });
}

function sharedEdits(accounts: readonly OpenedAccount[]): Result<readonly EditedSource[]> {
  const byFile = new Map<string, { readonly source: Source; readonly edits: Map<string, TextEdit> }>();
  for (const { source, edits } of accounts.flatMap(({ edited }) => edited)) {
    const known = byFile.get(source.file) ?? { source, edits: new Map<string, TextEdit>() };
    byFile.set(source.file, known);
    for (const edit of edits) known.edits.set(JSON.stringify(edit), edit);
  }
  const edited: EditedSource[] = [];
  for (const { source, edits } of byFile.values()) {
    const sorted = [...edits.values()].toSorted((a, b) => a.start - b.start);
    const meets = sorted.some((edit, at) => at > 0 && edit.start < (sorted[at - 1]?.end ?? 0));
    if (meets) return failed(contradiction(source.file));
    edited.push({ source, edits: sorted });
  }
  return ok(edited);
}

function tooLarge(account: string) {
  return problem('too-large', `the account "${account}" has more than ${mostHosts} hosts`, {
    hint: 'edit the desired state in a checkout; rampart import drift adopts changes there',
  });
}

function movedOn(source: string) {
  return problem('changed-since', `the source "${source}" changed during the proposal`, {
    hint: 'try again',
  });
}

function unreadable(account: string) {
  return problem('file-not-written', `the edited files of the account "${account}" would have errors`, {
    hint: 'choose fewer hosts, or edit the files yourself',
  });
}

function contradiction(file: string) {
  return problem('usage', `accounts that share ${file} request different content for one entry`, {
    place: { file, line: 1, col: 1 },
    hint: 'propose the change for one account at a time',
  });
}
