import {
  fromRoot,
  nodeImage,
  type Pipeline,
  pipelineId,
  projectKey,
  snapshotFile,
  sourceFlags,
} from './pipeline.ts';

/** The pipeline of a project on GitLab. */
export function gitlabPipeline(pipeline: Pipeline, { snapshot }: { readonly snapshot: boolean }): string {
  const { source, folder, files } = pipeline;
  const id = pipelineId(pipeline);
  const key = source.kind === 'account' ? source.variable : undefined;
  const flags = `-f "$RAMPART_FILES" ${sourceFlags(pipeline).join(' ')}`;
  const script = (...lines: readonly string[]) =>
    [...(folder === '' ? [] : [`cd "${folder}"`]), ...lines].map((line) => `    - ${line}\n`).join('');
  const kept = (policy: string) => `  cache:
    key: ${id}-state
    paths: ['${fromRoot(pipeline, '.rampart')}/']
    ${policy}
`;
  const own = '$CI_MERGE_REQUEST_SOURCE_PROJECT_ID == $CI_MERGE_REQUEST_PROJECT_ID';
  const projectWord = folder === '' ? '' : ` ${projectKey(pipeline)}`;
  const note = projectWord === '' ? '' : ` --key${projectWord}`;
  const takesAccounts = folder === '' && source.kind === 'account';
  const one = takesAccounts ? ' && $RAMPART_ACCOUNTS == null' : '';
  return `# Plans merge requests, applies on the default branch when someone presses play, and detects drift on a schedule.
# Set these project variables: ${key === undefined ? '' : `${key}_FILE (type File), and `}RAMPART_GITLAB_TOKEN (masked), which is a project access
# token with the scope "api" for notes on merge requests and for the issue about drift.
stages: [review, apply]

# The address of a release's rampart-VERSION-script.tar.gz, and its line in SHA256SUMS. They are in this file because merge
# requests from forks get no variables of the project.
variables:
  RAMPART_ARCHIVE: '${pipeline.archive?.address ?? ''}'
  RAMPART_ARCHIVE_SHA256: '${pipeline.archive?.sha256 ?? ''}'

.${id}:
  image: ${nodeImage}
  variables:
    GIT_DEPTH: '0'
    RAMPART_FILES: ${files.join(' ')}
    # Read rampart.config.yaml from the default branch, so a merge request can't choose where a key goes.
    RAMPART_CONFIG_REF: FETCH_HEAD
  before_script:
    - test -n "$RAMPART_ARCHIVE" || { echo "Write RAMPART_ARCHIVE and RAMPART_ARCHIVE_SHA256 into .gitlab-ci.yml."; exit 1; }
    - apt-get -qq update && apt-get -qq install --yes --no-install-recommends ca-certificates curl git
    - git fetch --quiet --no-tags --depth=1 origin "refs/heads/$CI_DEFAULT_BRANCH"
    - curl --fail --silent --show-error --location --output /tmp/rampart.tar.gz "$RAMPART_ARCHIVE"
    - echo "$RAMPART_ARCHIVE_SHA256  /tmp/rampart.tar.gz" | sha256sum --check --quiet
    - mkdir -p /opt/rampart && tar xzf /tmp/rampart.tar.gz --strip-components=1 -C /opt/rampart
    # A link, because after_script doesn't see a PATH that is set here.
    - ln -sf /opt/rampart/bin/rampart /usr/local/bin/rampart
${
  source.kind === 'emulator'
    ? ''
    : `    # Keys are variables of the type File, whose files every user of the machine could read.
    - printenv | sed -n 's/^[A-Z0-9_]*_PSK_FILE=//p' | xargs -r chmod 600
`
}
${id}-plan:
  extends: .${id}
  stage: review
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"${one} && ${own}
${source.kind === 'emulator' ? kept('policy: pull') : ''}  script:
${script(`rampart plan ${flags} --base "$CI_MERGE_REQUEST_DIFF_BASE_SHA" --out plan.json`)}  # Also run after a plan that exceeds a limit, because its review matters most.
  after_script:
${script(
  'rampart show plan.json --format gitlab > plan-widget.json',
  'rampart show plan.json --format html > plan.html',
  `rampart plan note plan.json${note}`,
)}  artifacts:
    when: always
    paths: [${[fromRoot(pipeline, 'plan.json'), fromRoot(pipeline, 'plan.html')].map((path) => `'${path}'`).join(', ')}]
    reports:
      terraform: '${fromRoot(pipeline, 'plan-widget.json')}'
${
  snapshot
    ? `
# Merge requests from forks get no variables, so they are planned on a snapshot in the repository.
${id}-plan-fork:
  extends: .${id}
  stage: review
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event" && $CI_MERGE_REQUEST_SOURCE_PROJECT_ID != $CI_MERGE_REQUEST_PROJECT_ID
  script:
${script(`rampart plan -f "$RAMPART_FILES" --observed ${snapshotFile}`)}`
    : ''
}${takesAccounts ? accountsJobs(id, { own, kept }) : ''}
${id}-plan-main:
  extends: .${id}
  stage: review
  rules:
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH && $CI_PIPELINE_SOURCE != "schedule"${one}
${source.kind === 'emulator' ? kept('policy: pull') : ''}  script:
${script(`rampart plan ${flags} --out plan.json ${signing}`)}  artifacts:
    paths: ['${fromRoot(pipeline, 'plan.json')}', '${fromRoot(pipeline, 'plan.json.sig')}']

${id}-apply:
  extends: .${id}
  stage: apply
  needs: [${id}-plan-main]
  rules:
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH && $CI_PIPELINE_SOURCE != "schedule"${one}
      when: manual
  environment: fleet
  # Run one at a time. Only the plan that the merge request showed is applied. If the fleet has changed since, Rampart refuses
  # with exit code 7: review the plan of ${id}-plan-main, and run the job again with its checksum as RAMPART_CHECKSUM.
  resource_group: ${id}
  interruptible: false
${kept('# The next run needs the record of a failed run most.\n    when: always')}  script:
${script(`rampart apply plan.json ${sourceFlags(pipeline).join(' ')} --max-plan-age 2d --reviewed${projectWord}`)}
${id}-drift:
  extends: .${id}
  stage: review
  rules:
    - if: $CI_PIPELINE_SOURCE == "schedule"${one}
  # One issue needs one run at a time.
  resource_group: ${id}-drift
${kept('policy: pull')}  script:
${script(`rampart drift ${flags} --issue${projectWord}`)}`;
}

/** Signs if the project has a key for it. */
const signing = '${RAMPART_SIGNING_KEY_FILE:+--sign}';

/** The jobs of several accounts. Each environment has the keys that its jobs may use. */
function accountsJobs(
  id: string,
  { own, kept }: { readonly own: string; readonly kept: (policy: string) => string },
): string {
  const onMain =
    '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH && $CI_PIPELINE_SOURCE != "schedule" && $RAMPART_ACCOUNTS';
  return `
# With many accounts, set the project variable RAMPART_ACCOUNTS to a selector such as region == "eu", or to true for all.
# The job plans the accounts that the merge request touches. Make the variables of their keys, such as
# BERLIN_PSK_FILE (type File), available only to the environments of these jobs: keys that read to fleet-read, and keys
# that write to fleet-write.
${id}-plan-accounts:
  extends: .${id}
  stage: review
  environment:
    name: fleet-read
    action: prepare
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event" && $RAMPART_ACCOUNTS && ${own}
  script:
    - rampart plan --accounts "$RAMPART_ACCOUNTS" --changed-since "$CI_MERGE_REQUEST_DIFF_BASE_SHA" --out plans
  after_script:
    - rampart plan note plans --key accounts
  artifacts:
    when: always
    paths: [plans]

${id}-plan-accounts-main:
  extends: .${id}
  stage: review
  environment:
    name: fleet-read
    action: prepare
  rules:
    # After a merge, only the accounts that it touches, as in its merge request.
    - if: ${onMain} && $CI_PIPELINE_SOURCE == "push"
      variables:
        RAMPART_SINCE: --changed-since $CI_COMMIT_BEFORE_SHA
    - if: ${onMain}
  script:
    - rampart plan --accounts "$RAMPART_ACCOUNTS" $RAMPART_SINCE --out plans ${signing}
  artifacts:
    paths: [plans]

${id}-apply-accounts:
  extends: .${id}
  stage: apply
  needs: [${id}-plan-accounts-main]
  rules:
    - if: ${onMain}
      when: manual
  environment: fleet-write
  # Only the plans that the merge request showed are applied, in the waves of rampart.config.yaml. If the rollout stops, retry
  # this job: it continues, and applies to no account twice.
  resource_group: ${id}
  interruptible: false
${kept('# The next job needs the record of a rollout that has stopped.\n    when: always')}  script:
    - rampart apply plans --continue --max-plan-age 2d --reviewed accounts

${id}-drift-accounts:
  extends: .${id}
  stage: review
  environment:
    name: fleet-read
    action: prepare
  rules:
    - if: $CI_PIPELINE_SOURCE == "schedule" && $RAMPART_ACCOUNTS
  # One issue needs one run at a time.
  resource_group: ${id}-drift
${kept('policy: pull')}  script:
    - rampart drift --accounts "$RAMPART_ACCOUNTS" --issue accounts
`;
}
