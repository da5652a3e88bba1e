import { repositoryAt } from '../../run/state/origin/linked-folder.ts';
import type { Answers } from '../setup/init-answers.ts';
import type { Context } from '../shell/context.ts';
import type { PipelineSystem } from './pipeline-files.ts';

/** What is left to do on the system that runs the pipeline. */
export function publishingSteps(
  { io: { cwd } }: Context,
  system: PipelineSystem,
  { pskVariable }: Answers,
): readonly string[] {
  return [
    'To start the pipeline:',
    ...(repositoryAt(cwd) !== undefined
      ? []
      : ['  git init --initial-branch=main', '  git remote add origin URL    # an empty repository']),
    ...(pskVariable === undefined ? [] : secretStep[system](pskVariable)),
    '  git add --all && git commit --message "Manage the fleet with Rampart" && git push',
    ...settings[system],
  ];
}

const secretStep: Readonly<Record<PipelineSystem, (variable: string) => readonly string[]>> = {
  github: (variable) => [`  gh secret set ${variable}    # enter the PSK`],
  gitlab: (variable) => [`  glab variable set ${variable}_FILE --type file --masked    # enter the PSK`],
  azure: (variable) => [
    `  az pipelines variable create --name ${variable} --secret true --pipeline-name NAME    # enter the PSK`,
  ],
};

const settings: Readonly<Record<PipelineSystem, readonly string[]>> = {
  github: ['In the settings of the repository, add required reviewers to the environment "fleet".'],
  gitlab: [
    'In the settings of the project, protect the environment "fleet", add a schedule for drift, and set the variables',
    'in the first lines of the pipeline.',
  ],
  azure: [
    'In the project, add an approval to the environment "fleet", and set the variables in the first lines of the',
    'pipeline.',
  ],
};
