import {
  fromRoot,
  keyFileName,
  type Pipeline,
  pipelineId,
  projectKey,
  snapshotFile,
  sourceFlags,
} from './pipeline.ts';

/** The pipeline of a project on Azure Pipelines. */
export function azurePipeline(pipeline: Pipeline, { snapshot }: { readonly snapshot: boolean }): string {
  const { source, folder, branch, files } = pipeline;
  const id = pipelineId(pipeline);
  const artifact = id.replaceAll('.', '_');
  const stateTag = `${artifact}-state`;
  const flags = [...files.map((file) => `-f "${file}"`), ...sourceFlags(pipeline)].join(' ');
  const within = folder === '' ? '' : `            workingDirectory: '${folder}'\n`;
  const fork = "eq(variables['System.PullRequest.IsFork'], 'True')";
  const variable = source.kind === 'account' ? source.variable : undefined;
  const variables =
    source.kind === 'account'
      ? `${variable === undefined ? '' : `              ${variable}_FILE: $(Agent.TempDirectory)/${keyFileName(variable)}\n`}              # Read rampart.config.yaml from the reviewed branch, so a pull request can't choose where a key goes.
              RAMPART_CONFIG_REF: origin/${branch}
`
      : '';
  const key = variables === '' ? '' : `            env:\n${variables}`;
  const writeKey = (condition = '') =>
    variable === undefined
      ? ''
      : `          - bash: (umask 077 && printenv KEY > "$AGENT_TEMPDIRECTORY/${keyFileName(variable)}")
            displayName: Write the key to a file
${condition}            env: { KEY: $(${variable}) }
`;
  const step = (command: string, more = '') => `          - script: ${command}\n${more}${within}`;
  const restore = `          # Records of earlier runs come from the artifact only: a change could bring forged ones. The first run has none.
          - script: rm -rf "$(Build.SourcesDirectory)/${fromRoot(pipeline, '.rampart')}"
            displayName: Remove records that are not from the artifact
          - task: DownloadPipelineArtifact@2
            continueOnError: true
            inputs:
              buildType: specific
              project: $(System.TeamProjectId)
              definition: $(System.DefinitionId)
              buildVersionToDownload: latestFromBranch
              branchName: refs/heads/${branch}
              allowPartiallySucceededBuilds: true
              allowFailedBuilds: true
              tags: ${stateTag}
              artifactName: ${stateTag}
              targetPath: '$(Build.SourcesDirectory)/${fromRoot(pipeline, '.rampart')}'
`;
  return `# Plans pull requests, applies the plan of ${branch} after the approval of the environment "fleet", and detects drift each
# morning. Set these variables of the pipeline: ${variable === undefined ? '' : `${variable} (secret), `}RAMPART_ARCHIVE, the address of a release's
# rampart-VERSION-script.tar.gz, and RAMPART_ARCHIVE_SHA256, its line in SHA256SUMS. In Azure Repos, add a build
# validation policy for ${branch} that runs this pipeline. Add an approval and an exclusive lock to the environment "fleet".
# For the work item about drift, give the build service of the project the permission to edit work items.
trigger:
  branches: { include: ['${branch}'] }
pr:
  branches: { include: ['${branch}'] }
schedules:
  - cron: '17 5 * * *'
    displayName: Drift
    branches: { include: ['${branch}'] }
    always: true

# Run one apply at a time.
lockBehavior: sequential

pool: { vmImage: ubuntu-latest }

stages:
  - stage: review
    displayName: Plan
    condition: ne(variables['Build.Reason'], 'Schedule')
    jobs:
      - job: plan
        steps:
          - checkout: self
            fetchDepth: 0
${installSteps}${source.kind === 'emulator' ? restore : ''}${writeKey(`            condition: and(succeeded(), not(${fork}))\n`)}${step(
  `rampart plan ${flags} --base "origin/${branch}" --out plan.json`,
  `            displayName: Plan
            condition: and(succeeded(), not(${fork}))
${key}`,
)}${
  snapshot
    ? `          # Pull requests from forks get no secrets, so they are planned on a snapshot in the repository.
${step(
  `rampart plan ${files.map((file) => `-f "${file}"`).join(' ')} --observed ${snapshotFile} --base "origin/${branch}" --out plan.json`,
  `            displayName: Plan on the snapshot
            condition: and(succeeded(), ${fork})
`,
)}`
    : ''
}          # Also after a plan that exceeds a limit, because its review matters most.
${step(
  'rampart show plan.json --format markdown > plan.md',
  `            displayName: Review
            condition: succeededOrFailed()
`,
)}          - script: echo "##vso[task.uploadsummary]$(Build.SourcesDirectory)/${fromRoot(pipeline, 'plan.md')}"
            displayName: Show the review
            condition: succeededOrFailed()
          - publish: '$(Build.SourcesDirectory)/${fromRoot(pipeline, 'plan.json')}'
            artifact: ${artifact}-plan-$(System.JobAttempt)
            condition: succeededOrFailed()

  - stage: apply
    displayName: Apply
    dependsOn: review
    condition: and(succeeded(), eq(variables['Build.SourceBranch'], 'refs/heads/${branch}'), ne(variables['Build.Reason'], 'Schedule'))
    jobs:
      - deployment: apply
        environment: fleet
        strategy:
          runOnce:
            deploy:
              steps:
${indented(`          - checkout: self
            fetchDepth: 0
${installSteps}${restore}          - task: DownloadPipelineArtifact@2
            inputs:
              artifactName: ${artifact}-plan-1
              targetPath: '$(Build.SourcesDirectory)/${folder}'
${writeKey()}          # The plan file is the approval. If the fleet has changed since, Rampart refuses with exit code 7.
${step(
  `rampart apply plan.json ${sourceFlags(pipeline).join(' ')} --max-plan-age 2d`,
  `            displayName: Apply
${key}`,
)}          # The next run needs the record of a failed run most.
          - publish: '$(Build.SourcesDirectory)/${fromRoot(pipeline, '.rampart')}'
            artifact: ${stateTag}
            condition: always()
          - script: echo "##vso[build.addbuildtag]${stateTag}"
            displayName: Mark the run that has the records
            condition: always()
`)}
  - stage: drift
    displayName: Drift
    dependsOn: []
    condition: eq(variables['Build.Reason'], 'Schedule')
    jobs:
      - job: drift
        steps:
          - checkout: self
            fetchDepth: 0
${installSteps}${restore}${writeKey()}${step(
  `rampart drift ${flags} --issue${folder === '' ? '' : ` ${projectKey(pipeline)}`}`,
  `            displayName: Drift
            env:
              # The token of this job opens one work item, updates it, and closes it.
              SYSTEM_ACCESSTOKEN: $(System.AccessToken)
${variables}`,
)}`;
}

const installSteps = `          - task: UseNode@1
            inputs: { version: 24.x }
          - bash: |
              set -euo pipefail
              curl --fail --silent --show-error --location --output "$AGENT_TEMPDIRECTORY/rampart.tar.gz" "$RAMPART_ARCHIVE"
              echo "$RAMPART_ARCHIVE_SHA256  $AGENT_TEMPDIRECTORY/rampart.tar.gz" | sha256sum --check --quiet
              mkdir -p "$AGENT_TEMPDIRECTORY/rampart"
              tar xzf "$AGENT_TEMPDIRECTORY/rampart.tar.gz" --strip-components=1 -C "$AGENT_TEMPDIRECTORY/rampart"
              echo "##vso[task.prependpath]$AGENT_TEMPDIRECTORY/rampart/bin"
            displayName: Install Rampart
`;

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '      ');
}
