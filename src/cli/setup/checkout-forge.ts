import { posix } from 'node:path';
import { readAccessToken } from '../../accounts/config/read-token.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import { connectForge } from '../../forge/connect-forge.ts';
import { type OpenedPull, pullForgeKinds } from '../../forge/forge.ts';
import { type ForgeAddress, forgeAt } from '../../forge/forge-address.ts';
import { createPullForge, type ProposedPull, proposePull } from '../../forge/propose-pull.ts';
import { git } from '../../run/state/origin/git.ts';
import { parseForgeUrl } from '../../service/client/base-url.ts';
import type { Context } from '../shell/context.ts';

/** The branch of a checkout that a pull request would merge into, and its newest commit that the forge has. */
export interface PullTarget {
  readonly base: string;
  readonly into: string;
  /** The path of this folder in the repository, empty or with a slash at its end. */
  readonly prefix: string;
}

const repositoryVariable = 'RAMPART_FORGE_REPOSITORY';
const tokenVariable = 'RAMPART_FORGE_TOKEN';

/**
 * The repository in which pull requests are opened; undefined if there is none. It comes from the environment: whoever
 * wrote the settings of a checkout must not choose where the token is sent.
 */
export function forgeOfCheckout({ io: { env } }: Context): Result<ForgeAddress | undefined> {
  const address = env[repositoryVariable] ?? '';
  if (address === '') return ok(undefined);
  const url = parseForgeUrl(address);
  if (!url.ok) return url;
  const { RAMPART_FORGE: given = '', RAMPART_FORGE_API: api = '' } = env;
  const kind = pullForgeKinds.find((each) => each === given);
  if (kind === undefined && given !== '') return failed(unknownForge);
  const found = forgeAt(url.value, {
    ...(kind === undefined ? {} : { kind }),
    ...(api === '' ? {} : { api }),
  });
  return found.ok
    ? found
    : failed(...found.problems.map((each) => ({ ...each, hint: unknownForge.hint ?? '' })));
}

/** Where a change of these files would be proposed. Fails unless the forge has them as they are here. */
export async function pullTarget(
  files: readonly string[],
  { io: { cwd, env } }: Context,
): Promise<Result<PullTarget>> {
  const ask = async (...argv: readonly string[]) => (await git(argv, { cwd, env }))?.toString().trim();
  const branch = await ask('symbolic-ref', '--quiet', 'HEAD');
  const format = '--format=%(objectname) %(upstream:remoteref) %(upstream:track,nobracket)';
  const [base = '', ref = '', ...track] =
    (await ask('for-each-ref', format, branch ?? 'HEAD'))?.split(' ') ?? [];
  const prefix = await ask('rev-parse', '--show-prefix');
  const into = ref.replace(/^refs\/heads\//, '');
  if (prefix === undefined || into === '') return failed(noBranch);
  const changed = await ask('status', '--porcelain', '--', ...files);
  if (changed !== '' || track.includes('ahead')) return failed(notPushed);
  const outside = files.find((file) => posix.join(prefix, file).startsWith('..') || posix.isAbsolute(file));
  return outside === undefined ? ok({ base, into, prefix }) : failed(noBranch);
}

/** Opens the pull request. Its files are relative to this folder. */
export async function openCheckoutPull(
  address: ForgeAddress,
  { prefix }: PullTarget,
  pull: ProposedPull,
  { io, redaction, report }: Context,
): Promise<Result<OpenedPull>> {
  const token = readAccessToken(tokenVariable, { env: io.env, folder: io.cwd });
  if (!token.ok) return token;
  if (token.value === undefined) return failed(noToken);
  redaction.hide([token.value]);
  report(token.problems);
  const place = { api: address.api, project: address.repository, token: token.value };
  const connected = connectForge(createPullForge[address.kind], place, io);
  if (!connected.ok) return connected;
  const { forge, close } = connected.value;
  const files = pull.files.map((each) => ({ ...each, path: posix.join(prefix, each.path) }));
  try {
    return await proposePull(forge, { ...pull, files });
  } finally {
    await close();
  }
}

const unknownForge = problem('configuration', 'RAMPART_FORGE is not the name of a forge', {
  hint: `check ${repositoryVariable}, and set RAMPART_FORGE to ${pullForgeKinds.join(', ')}`,
});
const noBranch = problem('usage', 'the current branch of this folder has no upstream branch', {
  hint: 'check out a branch with an upstream, or apply the patch yourself',
});
const notPushed = problem('usage', 'the files or the branch have changes that the repository does not have', {
  hint: 'commit and push them, or apply the patch yourself',
});
const noToken = problem('missing-credentials', 'the token for pull requests is missing', {
  hint: `set ${tokenVariable} or ${tokenVariable}_FILE`,
});
