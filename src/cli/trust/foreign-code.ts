import { readFileSync } from 'node:fs';
import { isPipelineOf } from '../../core/lib/pipeline-systems.ts';
import { type Environment, isSet, isSwitchedOn } from '../../core/lib/surroundings.ts';

/**
 * Why this pipeline may be running code of strangers, according to its forge's documented variables; null if it does
 * not, or if this is not a pipeline. An event that is not known to be internal counts as a stranger's.
 * RAMPART_TRUST_FORKS, which only the operator can set, states that the job contains nothing that a stranger could
 * steal.
 */
export function foreignCode(env: Environment): string | null {
  if (isSwitchedOn(env, 'RAMPART_TRUST_FORKS')) return null;
  return onGithub(env) ?? onGitlab(env) ?? onAzure(env) ?? onJenkins(env);
}

/** Runs for changes that someone with write access made or accepted. */
const githubEvents: ReadonlySet<string> = new Set(['push', 'schedule', 'workflow_dispatch', 'merge_group']);

function onGithub(env: Environment): string | null {
  const event = env['GITHUB_EVENT_NAME'] ?? '';
  if (event === '') return isPipelineOf('github', env) ? unknown('without a name') : null;
  if (githubEvents.has(event)) return null;
  return event === 'pull_request' && isOwnPullRequest(env['GITHUB_EVENT_PATH'] ?? '')
    ? null
    : event === 'pull_request'
      ? fork('pull request')
      : unknown(event);
}

/** The repository of a fork that was deleted is null. */
function isOwnPullRequest(payload: string): boolean {
  try {
    const { pull_request: request, repository } = JSON.parse(readFileSync(payload, 'utf8')) as {
      readonly pull_request: { readonly head: { readonly repo: { readonly full_name: unknown } | null } };
      readonly repository: { readonly full_name: unknown };
    };
    const home = repository.full_name;
    return typeof home === 'string' && request.head.repo?.full_name === home;
  } catch {
    return false;
  }
}

const gitlabSources: ReadonlySet<string> = new Set([
  'api',
  'chat',
  'merge_request_event',
  'parent_pipeline',
  'pipeline',
  'push',
  'schedule',
  'trigger',
  'web',
  'webide',
]);

/** A pipeline of a merge request from a fork can run in the parent project, with its variables. */
function onGitlab(env: Environment): string | null {
  if (!isPipelineOf('gitlab', env)) return null;
  const source = env['CI_PIPELINE_SOURCE'] ?? '';
  if (source === 'external_pull_request_event') {
    const from = env['CI_EXTERNAL_PULL_REQUEST_SOURCE_REPOSITORY'] ?? '';
    return from !== '' && from === env['CI_EXTERNAL_PULL_REQUEST_TARGET_REPOSITORY']
      ? null
      : fork('pull request');
  }
  if (source === 'merge_request_event' || isSet(env, 'CI_MERGE_REQUEST_IID')) {
    const from = env['CI_MERGE_REQUEST_SOURCE_PROJECT_ID'] ?? '';
    return from !== '' && from === env['CI_MERGE_REQUEST_PROJECT_ID'] ? null : fork('merge request');
  }
  return gitlabSources.has(source) ? null : unknown(source);
}

const azureReasons: ReadonlySet<string> = new Set(['Manual', 'IndividualCI', 'BatchedCI', 'Schedule']);

function onAzure(env: Environment): string | null {
  if (!isPipelineOf('azure', env)) return null;
  const reason = env['BUILD_REASON'] ?? '';
  if (reason === 'PullRequest')
    return env['SYSTEM_PULLREQUEST_ISFORK']?.toLowerCase() === 'false' ? null : fork('pull request');
  return azureReasons.has(reason) ? null : unknown(reason);
}

/** CHANGE_FORK is set only for changes from forks. */
function onJenkins(env: Environment): string | null {
  const isFork = isPipelineOf('jenkins', env) && isSet(env, 'CHANGE_FORK');
  return isFork ? fork('change') : null;
}

function fork(what: string): string {
  return `the ${what} comes from a fork`;
}

function unknown(event: string): string {
  return `the event ${event || 'without a name'} can contain untrusted code`;
}
