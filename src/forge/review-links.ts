import { relative, resolve, sep } from 'node:path';
import { commitId } from '../core/lib/hex-ids.ts';
import { isPipelineOf } from '../core/lib/pipeline-systems.ts';
import type { Environment } from '../core/lib/surroundings.ts';
import type { Reason } from '../core/plan/types/step.ts';
import type { PageOrigin } from '../output/page/plan-page-data.ts';
import type { MarkdownOptions } from '../output/review/markdown.ts';
import { pipelineOrigin } from '../run/state/origin/pipeline-origin.ts';
import { safeAddress } from '../run/state/origin/safe-text.ts';

/** What a review in a pipeline of GitHub or GitLab links to. Nothing elsewhere. */
export type ReviewLinks = Pick<MarkdownOptions, 'commit' | 'page' | 'linkTo'>;

/** The links of the pipeline of this environment. Files of the plan are relative to `folder`. */
export function reviewLinks(env: Environment, folder: string): ReviewLinks {
  const { commit, job } = pipelineOrigin(env);
  const files = commit === undefined ? undefined : filesOf(env, commit);
  return {
    ...(commit === undefined ? {} : { commit }),
    ...(job === undefined || !isPlain(job) ? {} : { page: job }),
    ...(files === undefined ? {} : { linkTo: (place) => lineOf(files, folder, place) }),
  };
}

/** What the page of a plan shows about the pipeline that made it. */
export function pageOrigin(env: Environment): PageOrigin {
  const { commit, request } = pipelineOrigin(env);
  return {
    ...(commit === undefined || !commitId.test(commit) ? {} : { commit }),
    ...(request === undefined || !isPlain(request) ? {} : { request }),
  };
}

interface Files {
  /** The address of the root of the repository at the commit. */
  readonly address: string;
  /** The folder of the checkout. */
  readonly root: string;
}

function filesOf(env: Environment, commit: string): Files | undefined {
  if (!commitId.test(commit)) return undefined;
  const [project, root, path] = isPipelineOf('gitlab', env)
    ? [env['CI_PROJECT_URL'], env['CI_PROJECT_DIR'], '-/blob']
    : [`${env['GITHUB_SERVER_URL']}/${env['GITHUB_REPOSITORY']}`, env['GITHUB_WORKSPACE'], 'blob'];
  const address = safeAddress(project);
  if (address === undefined || !isPlain(address) || root === undefined) return undefined;
  return { address: `${address}/${path}/${commit}`, root };
}

function lineOf({ address, root }: Files, folder: string, { file, line }: Reason): string | undefined {
  const path = relative(root, resolve(folder, file)).split(sep);
  if (path[0] === '..' || path[0] === '') return undefined;
  const encoded = path.map((part) => encodeURIComponent(part.toWellFormed()).replace(/[()!'*]/g, percent));
  return `${address}/${encoded.join('/')}#L${line}`;
}

/** These characters have a meaning in Markdown, and `encodeURIComponent` leaves them. */
function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** Without characters that could end the address of a link. */
function isPlain(address: string): boolean {
  return /^https?:\/\/[\w.:/%-]+$/.test(address);
}
