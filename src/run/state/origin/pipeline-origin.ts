import { isPipelineOf } from '../../../core/lib/pipeline-systems.ts';
import { type Environment, valueOf } from '../../../core/lib/surroundings.ts';
import { branchName, safeAddress } from './safe-text.ts';

/** The facts that a pipeline system provides about a job. They are not cut or cleaned, except the addresses. */
export interface PipelineOrigin {
  readonly actor?: string | undefined;
  readonly commit?: string | undefined;
  readonly branch?: string | undefined;
  readonly request?: string | undefined;
  readonly job?: string | undefined;
}

type Read = (name: string) => string | undefined;

const readers = [
  ['github', github],
  ['gitlab', gitlab],
  ['jenkins', jenkins],
  ['azure', azure],
  ['bitbucket', bitbucket],
] as const;

/** Empty if no known system runs this. */
export function pipelineOrigin(env: Environment): PipelineOrigin {
  const read: Read = (name) => valueOf(env, name);
  const found = readers.find(([system]) => isPipelineOf(system, env));
  return found === undefined ? {} : found[1](read);
}

function github(read: Read): PipelineOrigin {
  const repository = under(read('GITHUB_SERVER_URL'), read('GITHUB_REPOSITORY'));
  const pull = read('GITHUB_REF')?.match(/^refs\/pull\/(\d+)\//)?.[1];
  const branch =
    read('GITHUB_REF_TYPE') === 'branch' && pull === undefined ? read('GITHUB_REF_NAME') : undefined;
  return {
    actor: read('GITHUB_TRIGGERING_ACTOR') ?? read('GITHUB_ACTOR'),
    commit: read('GITHUB_SHA'),
    branch: read('GITHUB_HEAD_REF') ?? branch,
    request: under(repository, 'pull', pull),
    job: under(repository, 'actions/runs', read('GITHUB_RUN_ID')),
  };
}

function gitlab(read: Read): PipelineOrigin {
  return {
    actor: read('GITLAB_USER_LOGIN') ?? read('GITLAB_USER_NAME'),
    commit: read('CI_COMMIT_SHA'),
    branch: read('CI_MERGE_REQUEST_SOURCE_BRANCH_NAME') ?? read('CI_COMMIT_BRANCH'),
    request: under(read('CI_MERGE_REQUEST_PROJECT_URL'), '-/merge_requests', read('CI_MERGE_REQUEST_IID')),
    job: safeAddress(read('CI_JOB_URL')),
  };
}

/** Jenkins provides a person only with the plugin "build user vars". */
function jenkins(read: Read): PipelineOrigin {
  return {
    actor: read('BUILD_USER_ID') ?? read('BUILD_USER') ?? read('JOB_NAME'),
    commit: read('GIT_COMMIT'),
    branch: branchName(read('CHANGE_BRANCH') ?? read('BRANCH_NAME') ?? read('GIT_BRANCH')),
    request: safeAddress(read('CHANGE_URL')),
    job: safeAddress(read('BUILD_URL')),
  };
}

function azure(read: Read): PipelineOrigin {
  const project = under(read('SYSTEM_COLLECTIONURI'), encoded(read('SYSTEM_TEAMPROJECT')));
  const build = digits(read('BUILD_BUILDID'));
  const results = under(project, '_build/results');
  const request =
    read('BUILD_REPOSITORY_PROVIDER') === 'GitHub'
      ? (['pull', digits(read('SYSTEM_PULLREQUEST_PULLREQUESTNUMBER'))] as const)
      : (['pullrequest', digits(read('SYSTEM_PULLREQUEST_PULLREQUESTID'))] as const);
  return {
    actor: read('BUILD_REQUESTEDFOR'),
    commit: read('BUILD_SOURCEVERSION'),
    branch: branchName(read('SYSTEM_PULLREQUEST_SOURCEBRANCH') ?? read('BUILD_SOURCEBRANCH')),
    request: under(read('BUILD_REPOSITORY_URI'), ...request),
    job: results === undefined || build === undefined ? undefined : `${results}?buildId=${build}`,
  };
}

function bitbucket(read: Read): PipelineOrigin {
  const repository = safeAddress(read('BITBUCKET_GIT_HTTP_ORIGIN'));
  return {
    actor: read('BITBUCKET_STEP_TRIGGERER_UUID'),
    commit: read('BITBUCKET_COMMIT'),
    branch: read('BITBUCKET_BRANCH'),
    request: under(repository, 'pull-requests', digits(read('BITBUCKET_PR_ID'))),
    job: under(repository, 'pipelines/results', digits(read('BITBUCKET_BUILD_NUMBER'))),
  };
}

/** A path below an address; undefined if a part of it is unknown. */
function under(base: string | undefined, ...path: readonly (string | undefined)[]): string | undefined {
  const address = safeAddress(base);
  if (address === undefined || path.includes(undefined)) return undefined;
  return safeAddress([address.replace(/\/$/, ''), ...path].join('/'));
}

function digits(text: string | undefined): string | undefined {
  return text?.match(/^\d{1,20}$/)?.[0];
}

function encoded(text: string | undefined): string | undefined {
  return text === undefined ? undefined : encodeURIComponent(text.toWellFormed());
}
