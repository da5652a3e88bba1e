import type { PlanFiles } from '../../../api/plans.ts';
import { failed, ok, problem, type Result } from '../../../core/problem/problem.ts';
import { readOpened } from '../../../input/load-desired.ts';
import type { Source } from '../../../input/sources/decode-source.ts';
import { loadSources } from '../../../input/sources/find-files.ts';
import { isFolder, shortHash } from '../../../output/components/places.ts';
import type { JobParts } from '../../queue/rules/job-parts.ts';
import { accountNamed } from '../../settings/configured-account.ts';
import type { DesiredFiles } from '../../sources/rules/desired-states.ts';
import { isUndo } from '../decisions/stored-plan.ts';
import type { PlanRecord } from '../records/plans.ts';
import { compareFiles } from './compare-files.ts';

type Parts = Pick<JobParts, 'settings'> & { readonly desired: Pick<JobParts['desired'], 'locate'> };
type Plan = Pick<PlanRecord, 'id' | 'account' | 'source' | 'commit'>;

/** What is compared while someone waits, in bytes. */
const mostBytes = 8 * 1024 * 1024;

/** The lines of an account's files that changed since the change `before`, which was applied last. */
export async function diffPlanFiles(
  plan: Plan,
  before: Plan | undefined,
  { settings, desired }: Parts,
): Promise<PlanFiles> {
  const { account, source, commit } = plan;
  const earlier = before?.commit ?? null;
  const known: Omit<PlanFiles, 'patch' | 'why'> = {
    source,
    commit,
    before: before === undefined || earlier === null ? null : { plan: before.id, commit: earlier },
  };
  const unknown = (why: string): PlanFiles => ({ ...known, patch: null, why });
  if (isUndo(plan)) return unknown('This change reverses a run. It was not made from an edit of the files.');
  if (commit === null) return unknown('The plan does not record a version of the files.');
  if (earlier === null)
    return unknown('No change from this source was applied before, so there is nothing to compare with.');
  const same = { text: '', added: 0, removed: 0, incomplete: [] };
  if (earlier === commit) return { ...known, patch: same, why: null };
  const config = accountNamed(settings, account);
  if (config === undefined) return unknown('The account is no longer configured.');
  const texts: ReadonlyMap<string, Source>[] = [];
  for (const version of [earlier, commit]) {
    const files = await desired.locate(config, version);
    if (files.ok && files.value.source !== source) return unknown('The account has another source now.');
    const read = files.ok ? await filesOf(files.value) : files;
    if (read.ok) texts.push(read.value);
    else if (isFolder(version))
      return unknown(`The source is a folder, and its contents of ${shortHash(version)} are not kept.`);
    else return unknown(`${shortHash(version)} can't be read: ${read.problems[0]?.message ?? 'unknown'}.`);
  }
  return { ...known, patch: compareFiles(texts[0] ?? new Map(), texts[1] ?? new Map()), why: null };
}

/** The files that an account names, and the tables that those name. What scripts import is not among them. */
async function filesOf({
  folder,
  paths,
}: Pick<DesiredFiles, 'folder' | 'paths'>): Promise<Result<ReadonlyMap<string, Source>>> {
  const sources = await loadSources(paths, folder);
  if (!sources.ok) return sources;
  if (bytesOf(sources.value) > mostBytes) return failed(tooLarge);
  const { tables } = readOpened(sources.value, folder);
  const all = [...sources.value, ...tables];
  return bytesOf(all) > mostBytes ? failed(tooLarge) : ok(new Map(all.map((each) => [each.file, each])));
}

const tooLarge = problem('too-large', 'its files are larger than 8 MiB; compare the versions with Git', {
  hint: 'run git diff in a checkout',
});

function bytesOf(sources: readonly Source[]): number {
  return sources.reduce((sum, { text }) => sum + text.length, 0);
}
