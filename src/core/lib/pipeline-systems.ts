import { type Environment, isSwitchedOn, valueOf } from './surroundings.ts';

/** Each pipeline system with the variable that it sets in all of its jobs. */
const marks = {
  github: 'GITHUB_ACTIONS',
  gitlab: 'GITLAB_CI',
  jenkins: 'JENKINS_URL',
  azure: 'TF_BUILD',
  bitbucket: 'BITBUCKET_BUILD_NUMBER',
  codebuild: 'CODEBUILD_BUILD_ID',
  teamcity: 'TEAMCITY_VERSION',
} as const;
type PipelineSystem = keyof typeof marks;

/** Does this pipeline system run this process? */
export function isPipelineOf(system: PipelineSystem, env: Environment): boolean {
  return valueOf(env, marks[system]) !== undefined;
}

/** Is this a pipeline rather than a person? Nearly all pipeline systems set `CI`. */
export function isAutomated(env: Environment): boolean {
  return isSwitchedOn(env, 'CI') || Object.values(marks).some((mark) => valueOf(env, mark) !== undefined);
}
