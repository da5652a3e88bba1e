import { lstat, readFile, realpath } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { sha256Id } from '../../core/lib/hex-ids.ts';
import { quoted } from '../../core/lib/words.ts';
import { failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import { isThere } from '../../run/state/files/run-files.ts';
import { git } from '../../run/state/origin/git.ts';
import { repositoryAt } from '../../run/state/origin/linked-folder.ts';
import type { NewFile } from '../setup/replace-files.ts';
import type { Context } from '../shell/context.ts';
import { ownPackage } from '../shell/version.ts';
import { azurePipeline } from './azure-pipeline.ts';
import { githubWorkflows } from './github-workflows.ts';
import { gitlabPipeline } from './gitlab-pipeline.ts';
import { isPlainPath, type Pipeline, type PipelineSource, pipelineId } from './pipeline.ts';

/** The systems that `rampart init` writes a pipeline for. */
export type PipelineSystem = 'github' | 'gitlab' | 'azure';

export interface PipelineFlags {
  readonly github?: true;
  readonly gitlab?: true;
  readonly azure?: true;
  readonly action?: string;
  readonly archive?: string;
  readonly branch?: string;
  readonly force?: true;
}

export interface PipelineFacts {
  readonly files: readonly string[];
  readonly source: PipelineSource;
  /** Is there a snapshot of the fleet for pull requests from forks? */
  readonly snapshot: boolean;
}

export function pipelineSystem(flags: PipelineFlags): PipelineSystem | undefined {
  return (['github', 'gitlab', 'azure'] as const).find((system) => flags[system] === true);
}

/** The files of the pipeline, relative to the folder of the project. Nothing is written. */
export async function pipelineFiles(
  place: Context,
  flags: PipelineFlags,
  facts: PipelineFacts,
): Promise<Result<readonly NewFile[]>> {
  const system = pipelineSystem(flags);
  if (system === undefined) return ok([]);
  const root = repositoryAt(place.io.cwd) ?? place.io.cwd;
  const folder = relative(root, place.io.cwd).split(sep).join('/');
  const branch = flags.branch ?? (await mainBranch(root, place));
  const problems: Problem[] = [
    ...(isPlainPath(folder) ? [] : [badName('the folder', folder, 'choose another folder')]),
    ...(/^[\w][\w./-]*$/.test(branch)
      ? []
      : [badName('the branch', branch, 'name the branch that changes are merged into with --branch')]),
  ];
  const seed = facts.source.kind === 'emulator' ? facts.source.seed : undefined;
  // Shells read the flag without quotes.
  if (seed !== undefined && (seed.includes(' ') || !isPlainPath(seed.replace(/^(?:\.\.\/)+/, ''))))
    problems.push(badName('the seed', seed, 'choose another file'));
  const parts = releaseParts(system, flags);
  if (!parts.ok) problems.push(...parts.problems);
  if (!parts.ok || problems.length > 0) return failed(...problems);
  const pipeline: Pipeline = { ...facts, ...parts.value, folder, branch };
  const made = filesOf(system, pipeline, facts.snapshot);
  const files = made.map(({ file, text }) => ({ file: relative(place.io.cwd, join(root, file)), text }));
  for (const { file } of files) {
    if (await leadsOutside(root, place.path(file)))
      problems.push(
        problem('usage', `${file} would be written through a link to a path outside of the repository`, {
          hint: 'remove the link; init writes pipelines only into the repository',
        }),
      );
  }
  if (problems.length > 0) return failed(...problems);
  return ok(files);
}

function filesOf(system: PipelineSystem, pipeline: Pipeline, snapshot: boolean): readonly NewFile[] {
  const isWhole = pipeline.folder === '';
  const id = pipelineId(pipeline);
  switch (system) {
    case 'github':
      return githubWorkflows(pipeline, { snapshot });
    case 'gitlab':
      return [
        {
          file: isWhole ? '.gitlab-ci.yml' : `.gitlab/${id}.gitlab-ci.yml`,
          text: gitlabPipeline(pipeline, { snapshot }),
        },
      ];
    case 'azure':
      return [
        {
          file: isWhole ? 'azure-pipelines.yml' : `azure-pipelines.${id}.yml`,
          text: azurePipeline(pipeline, { snapshot }),
        },
      ];
  }
}

/** Whether writing this path would follow a link out of the repository. A link that leads nowhere could lead anywhere. */
async function leadsOutside(root: string, path: string): Promise<boolean> {
  for (let at = path; at !== root && at !== dirname(at); at = dirname(at)) {
    const found = await lstat(at).catch(() => undefined);
    if (found === undefined) continue;
    const [real, home] = [await realpath(at).catch(() => undefined), await realpath(root)];
    return real === undefined || !`${real}${sep}`.startsWith(home.endsWith(sep) ? home : `${home}${sep}`);
  }
  return false;
}

/** The files that exist with different content. `--force` replaces them; nothing else does. */
export async function filesThatDiffer(
  place: Context,
  files: readonly NewFile[],
): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  for (const { file, text } of files) {
    const path = place.path(file);
    if (!(await isThere(path))) continue;
    const old = await readFile(path, 'utf8').catch(() => undefined);
    if (old === text) continue;
    problems.push(
      problem('usage', `${file} already exists with different content`, {
        hint: 'nothing was written; replace it with --force',
      }),
    );
  }
  return problems;
}

/** The default branch of the remote repository, else the current one. */
async function mainBranch(root: string, { io: { env } }: Context): Promise<string> {
  const options = { cwd: root, env };
  const remote = await git(['symbolic-ref', '--quiet', '--short', 'refs/remotes/origin/HEAD'], options);
  const head = remote ?? (await git(['symbolic-ref', '--quiet', '--short', 'HEAD'], options));
  return (
    head
      ?.toString('utf8')
      .trim()
      .replace(/^origin\//, '') || 'main'
  );
}

type ReleaseParts = Pick<Pipeline, 'action' | 'actionVersion' | 'archive'>;

/** The parts of a release that the pipeline runs with the key of the fleet, each pinned: a tag can be moved. */
function releaseParts(system: PipelineSystem, { action, archive }: PipelineFlags): Result<ReleaseParts> {
  if (system === 'github') return actionFor(action);
  if (archive === undefined) return ok({ action: '' });
  const [address = '', sha256 = ''] = archive.split('#sha256=');
  return /^https:\/\/[\w.:/~%-]+$/.test(address) && sha256Id.test(sha256)
    ? ok({ action: '', archive: { address, sha256 } })
    : failed(
        problem('usage', '--archive must be an https address and a checksum: ADDRESS#sha256=CHECKSUM', {
          hint: 'the checksum is in SHA256SUMS of the release',
        }),
      );
}

/** The Action by its commit: the one that the flag gives, or that of this release. */
function actionFor(given: string | undefined): Result<ReleaseParts> {
  if (given !== undefined) {
    return /^[\w.-]+\/[\w./-]+@[0-9a-f]{40}$/.test(given)
      ? ok({ action: given })
      : failed(
          problem('usage', '--action must be OWNER/REPOSITORY@COMMIT, with the 40 digits of a commit', {
            hint: 'a tag or a branch can be moved, and the Action gets the key of the fleet',
          }),
        );
  }
  const { version, action, actionCommit } = ownPackage();
  return action !== undefined && actionCommit !== undefined
    ? ok({ action: `${action}@${actionCommit}`, actionVersion: `v${version}` })
    : failed(
        problem('usage', 'this build does not contain the commit of its GitHub Action', {
          hint: 'push the Action of a release to a repository, and add --action OWNER/REPOSITORY@COMMIT',
        }),
      );
}

function badName(what: string, name: string, hint: string): Problem {
  return problem('usage', `pipelines can't contain the name of ${what} ${quoted(name)}`, {
    hint: `${hint}; names may contain letters, digits, spaces, dots, dashes and underscores`,
  });
}
