import { createHash } from 'node:crypto';
import { tableEndings } from '../../input/sources/read-endings.ts';

/** What the files of a pipeline depend on. */
export interface Pipeline {
  /** The folder of the project below the root of the repository, with forward slashes; empty for the root. */
  readonly folder: string;
  /** The files of the desired state, relative to the folder of the project. */
  readonly files: readonly string[];
  readonly source: PipelineSource;
  /** The branch that reviewed changes are merged into. */
  readonly branch: string;
  /** The Action by its commit, for workflows of GitHub; empty for other systems. */
  readonly action: string;
  /** The comment after the Action: the version of the commit. */
  readonly actionVersion?: string;
  /** The command line of a release, for jobs of GitLab. */
  readonly archive?: { readonly address: string; readonly sha256: string };
}

/** Which fleet the pipeline plans: an account of rampart.config.yaml, or an emulated one. */
export type PipelineSource =
  | { readonly kind: 'account'; readonly account: string; readonly variable?: string }
  | { readonly kind: 'emulator'; readonly seed?: string };

/** The image of jobs and of releases: Node 24 on Debian 12, for several architectures. A digest can't be moved. */
export const nodeImage =
  'node:24-bookworm-slim@sha256:ba849c60be29959425b8734d57b8b4b7d56f98edd9504c9af091d5281095a71e';

/** The emulated fleet as a file, in the folder of the state that each job restores. */
export const emulatorState = '.rampart/emulator.state';

/** A snapshot of the fleet, for pull requests from forks. */
export const snapshotFile = 'fleet.snapshot.json';

/** Names the project in a repository that may have several. A project at the root has no name of its own. */
export function pipelineId(pipeline: Pipeline): string {
  return pipeline.folder === '' ? 'rampart' : `rampart.${projectKey(pipeline)}`;
}

const longestKey = 64;
const plainFolder = /^[a-z0-9]+(?:[/-][a-z0-9]+)*$/;

/** The file in the temporary folder of a job that has the key of a variable. */
export function keyFileName(variable: string): string {
  return variable.toLowerCase();
}

/**
 * Names the folder of a project in comments, issues and files. Two folders never get the same name: in a plain path only
 * the slashes are replaced, by dots, and every other path gets a hash, after two dashes that no plain path contains.
 */
export function projectKey({ folder }: Pick<Pipeline, 'folder'>): string {
  if (plainFolder.test(folder) && folder.length <= longestKey) return folder.replaceAll('/', '.');
  const end = `--${createHash('sha256').update(folder).digest('hex').slice(0, 8)}`;
  const words = folder.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  return (
    words
      .replace(/^-/, '')
      .slice(0, longestKey - end.length)
      .replace(/-$/, '') + end
  );
}

/** A path of the project, from the root of the repository. */
export function fromRoot({ folder }: Pipeline, path: string): string {
  return folder === '' ? path : `${folder}/${path}`;
}

/** The flags of the command line that choose the fleet. */
export function sourceFlags({ source }: Pipeline): readonly string[] {
  return source.kind === 'account'
    ? [`--account=${source.account}`]
    : [
        source.seed === undefined ? '--emulator' : `--emulator=${source.seed}`,
        `--emulator-state=${emulatorState}`,
      ];
}

/** Paths whose changes may change a plan, from the root of the repository. */
export function watchedPaths(pipeline: Pipeline): readonly string[] {
  const own = pipeline.files.flatMap((file) =>
    file.endsWith('/') ? [`${file}**`] : [file, ...besides(file)],
  );
  const seed = pipeline.source.kind === 'emulator' ? (pipeline.source.seed ?? []) : [];
  return [...own, seed, 'rampart.config.yaml'].flat().map((path) => fromRoot(pipeline, path));
}

/** Tables and modules that the file may read. */
function besides(file: string): readonly string[] {
  const tables = tableEndings.map((ending) => `**/*.${ending}`);
  return file.endsWith('.ts') ? ['**/*.[jt]s', '**/*.[cm][jt]s', ...tables] : tables;
}

/** A name or path that every kind of pipeline can contain without quoting it in some language. */
export function isPlainPath(path: string): boolean {
  return /^[\p{L}\p{N}_./ -]*$/u.test(path) && !/(?:^|\/)[ -]|[ .](?:\/|$)/u.test(path);
}
