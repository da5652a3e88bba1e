import { quoted } from '../../../core/lib/words.ts';
import { failed, ok, type Problem, problem, type Result } from '../../../core/problem/problem.ts';
import type { OpenedPull } from '../../../forge/forge.ts';
import { proposePull } from '../../../forge/propose-pull.ts';
import { editedText } from '../../../input/writing/edited-source.ts';
import { createGuardedHttp } from '../../../service/client/guarded-fetch.ts';
import { openPullForge } from '../../notifications/rules/open-forge.ts';
import { readSecret } from '../../settings/read-secret.ts';
import type { ForgeSettings, GitSource, ServerSettings } from '../../settings/server-settings.ts';
import type { ProposalDraft, SourcePatch } from './draft-proposal.ts';

interface OpenParts {
  readonly settings: Pick<ServerSettings, 'sources' | 'allow' | 'folder'>;
  readonly env: Parameters<typeof createGuardedHttp>[0]['env'];
  readonly hide: (secrets: readonly string[]) => void;
  readonly clock: { now(): number };
}

/** The text of the pull requests. */
export interface PullWords {
  readonly title: string;
  /** Markdown. */
  readonly body: string;
}

export interface SourcePull extends OpenedPull {
  readonly source: string;
}

type ProposalSource = GitSource & { readonly forge: ForgeSettings };

/** The source if a pull request can be opened for it: it is on a forge, and its ref is a branch. */
export function proposalSource(
  name: string,
  { sources }: Pick<ServerSettings, 'sources'>,
): ProposalSource | undefined {
  const source = sources.find((each) => each.name === name);
  return source?.kind === 'git' && source.forge !== undefined && branchOf(source) !== undefined
    ? { ...source, forge: source.forge }
    : undefined;
}

/** Undefined for a tag. */
export function branchOf({ ref }: Pick<GitSource, 'ref'>): string | undefined {
  const short = ref.replace(/^refs\/heads\//, '');
  return short.startsWith('refs/') ? undefined : short;
}

/** Opens one pull request for each source. If one fails, the earlier ones remain open, and the problem lists them. */
export async function openProposal(
  { patches }: ProposalDraft,
  words: PullWords,
  parts: OpenParts,
): Promise<Result<readonly SourcePull[]>> {
  const http = createGuardedHttp({ allowed: parts.settings.allow, env: parts.env });
  const pulls: SourcePull[] = [];
  try {
    for (const patch of patches) {
      const opened = await openOne(patch, words, { ...parts, http });
      if (opened.ok) pulls.push({ ...opened.value, source: patch.source });
      else return failed(...opened.problems.map((each) => withOpen(each, pulls)));
    }
    return ok(pulls);
  } finally {
    await http.close();
  }
}

async function openOne(
  { source: name, commit, edited, patch }: SourcePatch,
  { title, body }: PullWords,
  parts: OpenParts & { readonly http: ReturnType<typeof createGuardedHttp> },
): Promise<Result<OpenedPull>> {
  const source = proposalSource(name, parts.settings);
  if (source === undefined) return failed(noForge(name));
  const { settings, clock } = parts;
  const token = readSecret(source.forge.token, `the forge token of the source "${name}"`, {
    ...parts,
    folder: settings.folder,
  });
  if (!token.ok) return token;
  const forge = openPullForge({
    source: name,
    forge: source.forge,
    token: token.value,
    http: parts.http,
    now: () => clock.now(),
  });
  return proposePull(forge, {
    patch,
    into: branchOf(source) ?? '',
    base: commit,
    title,
    body,
    files: edited.map((each) => ({ path: pathIn(source, each.source.file), text: editedText(each) })),
  });
}

/** The path in the repository. */
function pathIn({ path }: GitSource, file: string): string {
  return path === '' ? file : `${path}/${file}`;
}

function noForge(source: string) {
  return problem('configuration', `no pull request can be opened for the source ${quoted(source)}`, {
    hint: 'download the patch, and apply it in a checkout; or give the source a branch as "ref" and a "forgeTokenFile"',
  });
}

function withOpen(failure: Problem, pulls: readonly SourcePull[]): Problem {
  if (pulls.length === 0) return failure;
  const open = pulls.map(({ source, page }) => `the one for the source ${quoted(source)} is open: ${page}`);
  return { ...failure, hint: [failure.hint, ...open].filter(Boolean).join('; ') };
}
