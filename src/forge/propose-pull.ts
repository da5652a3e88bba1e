import { sha256Hex } from '../core/lib/hash.ts';
import { failed } from '../core/problem/problem.ts';
import { createAzureRepository } from './azure-repository.ts';
import { createBitbucket } from './bitbucket.ts';
import type { ForgeResult, NewPull, OpenedPull, PullForge, PullForgeKind } from './forge.ts';
import { type ForgePlace, type ForgeTransport, isRefusedAs } from './forge-client.ts';
import { createGithub } from './github.ts';
import { createGitlab } from './gitlab.ts';

/** Every forge that receives pull requests. */
export const createPullForge: Readonly<
  Record<PullForgeKind, (place: ForgePlace, transport: ForgeTransport) => PullForge>
> = {
  github: createGithub,
  gitlab: createGitlab,
  azure: createAzureRepository,
  bitbucket: createBitbucket,
};

/** The text changes of a pull request, as a patch. */
export interface ProposedPull extends Omit<NewPull, 'branch'> {
  readonly patch: string;
}

/** Opens a pull request on a branch whose name follows from the change, so that one change is proposed once. */
export async function proposePull(
  forge: PullForge,
  { patch, ...pull }: ProposedPull,
): Promise<ForgeResult<OpenedPull>> {
  const branch = `rampart/${sha256Hex(`${pull.base}\n${patch}`).slice(0, 12)}`;
  const opened = await forge.openPull({ ...pull, branch });
  if (opened.ok || !isRefusedAs(opened, 'bad-request')) return opened;
  const hint = `check whether the branch ${branch} exists: someone may have proposed the same change before`;
  return failed(...opened.problems.map((each) => ({ ...each, hint })));
}
