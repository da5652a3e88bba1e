import { type Environment, isSet, isSwitchedOn } from '../../core/lib/surroundings.ts';

/** Variables that pipeline systems set; nearly all of them set `CI`. */
const marks = [
  'BITBUCKET_BUILD_NUMBER',
  'CODEBUILD_BUILD_ID',
  'GITHUB_ACTIONS',
  'GITLAB_CI',
  'JENKINS_URL',
  'TEAMCITY_VERSION',
  'TF_BUILD',
] as const;

/** Is this a pipeline rather than a person? Then a checkout alone never decides where a key is sent. */
export function isAutomated(env: Environment): boolean {
  return isSwitchedOn(env, 'CI') || marks.some((name) => isSet(env, name));
}
