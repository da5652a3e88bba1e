import type { Environment } from '../shell/io.ts';

/** Set by the systems that run pipelines; `CI` by nearly all of them. */
const marks = [
  'BITBUCKET_BUILD_NUMBER',
  'CODEBUILD_BUILD_ID',
  'GITHUB_ACTIONS',
  'GITLAB_CI',
  'JENKINS_URL',
  'TEAMCITY_VERSION',
  'TF_BUILD',
] as const;

/** Does a pipeline run this, and not a person? Then what a checkout says about a key is never enough. */
export function isAutomated(env: Environment): boolean {
  const ci = env['CI'] ?? '';
  return (ci !== '' && ci !== '0' && ci !== 'false') || marks.some((name) => (env[name] ?? '') !== '');
}
