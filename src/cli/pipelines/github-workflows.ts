import type { NewFile } from '../setup/replace-files.ts';
import {
  fromRoot,
  keyFileName,
  type Pipeline,
  pipelineId,
  projectKey,
  snapshotFile,
  sourceFlags,
  watchedPaths,
} from './pipeline.ts';

/** The actions of GitHub that the workflows use, by commit: a tag can be moved. */
const checkout = 'actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0';
const restoreCache = 'actions/cache/restore@0057852bfaa89a56745cba8c7296529d2fc39830 # v4.3.0';
const saveCache = 'actions/cache/save@0057852bfaa89a56745cba8c7296529d2fc39830 # v4.3.0';
const upload = 'actions/upload-artifact@330a01c490aca151604b8cf639adc76d48f6c5d4 # v5.0.0';

/** The workflows of a project. The one for forks needs a snapshot in the repository. */
export function githubWorkflows(
  pipeline: Pipeline,
  { snapshot }: { readonly snapshot: boolean },
): readonly NewFile[] {
  const texts = {
    review: reviewWorkflow(pipeline),
    apply: applyWorkflow(pipeline),
    commands: commandsWorkflow(pipeline),
    drift: driftWorkflow(pipeline),
    ...(snapshot ? { forks: forksWorkflow(pipeline) } : {}),
  };
  const id = pipelineId(pipeline);
  return Object.entries(texts).map(([name, text]) => ({ file: `.github/workflows/${id}-${name}.yml`, text }));
}

function reviewWorkflow(pipeline: Pipeline): string {
  return `# Plans each pull request and shows the plan in a comment.
name: ${nameOf(pipeline, 'review')}
on:
  pull_request:
    paths: [${watchedPaths(pipeline).map(quoted).join(', ')}]

permissions:
  contents: read
  pull-requests: write

concurrency:
  group: ${pipelineId(pipeline)}/review-\${{ github.event.pull_request.number }}
  cancel-in-progress: true

jobs:
  plan:
    # Forks get no secrets, so they are planned on a snapshot.
    if: github.event.pull_request.head.repo.full_name == github.repository
    runs-on: ubuntu-latest
    environment: fleet-read
    steps:
      - uses: ${checkout}
        with:
          fetch-depth: 0
          persist-credentials: false
${restoreState(pipeline)}${writeKey(pipeline)}      - id: rampart
        uses: ${actionOf(pipeline)}
        with:
          mode: plan
${projectInputs(pipeline)}          html-path: plan.html
${accountEnvironment(pipeline, 'read')}      - if: always() && steps.rampart.outputs.plan-path != ''
        uses: ${upload}
        with:
          name: ${pipelineId(pipeline)}-plan
          path: |
            \${{ steps.rampart.outputs.plan-path }}
            \${{ steps.rampart.outputs.html-path }}
`;
}

function applyWorkflow(pipeline: Pipeline): string {
  return `# Applies the reviewed plan after the merge and the approval of the environment. The Action refuses a plan that differs
# from the one in the comment of the pull request. Review it then, and run this workflow by hand with its checksum.
name: ${nameOf(pipeline, 'apply')}
on:
  push:
    branches: [${quoted(pipeline.branch)}]
    paths: [${watchedPaths(pipeline).map(quoted).join(', ')}]
  workflow_dispatch:
    inputs:
      checksum:
        description: The checksum of the plan that was reviewed
        required: true

permissions:
  contents: read
  pull-requests: read

# Run one apply at a time and never cancel it half-way.
concurrency:
  group: ${pipelineId(pipeline)}/apply
  cancel-in-progress: false

jobs:
  apply:
    runs-on: ubuntu-latest
    environment: fleet
    steps:
      - uses: ${checkout}
        with:
          persist-credentials: false
${restoreState(pipeline)}${writeKey(pipeline)}      - uses: ${actionOf(pipeline)}
        with:
          mode: apply
${projectInputs(pipeline)}          checksum: \${{ inputs.checksum }}
${accountEnvironment(pipeline, 'write')}${saveState(pipeline)}`;
}

function commandsWorkflow(pipeline: Pipeline): string {
  return `# Runs commands that people with write access write in a comment on a pull request: /rampart plan, /rampart apply and
# /rampart explain HOST. The Action checks who wrote the comment and which plan it means before it uses the key.
name: ${nameOf(pipeline, 'commands')}
on:
  issue_comment:
    types: [created]

permissions:
  contents: read
  issues: write
  pull-requests: write

jobs:
  command:
    # Keeps strangers from starting jobs. The Action asks GitHub for the permission of the author.
    if: >-
      github.event.issue.pull_request && startsWith(github.event.comment.body, '/rampart ') &&
      contains(fromJSON('["OWNER", "MEMBER", "COLLABORATOR"]'), github.event.comment.author_association)
    # Only one apply runs at a time.
    concurrency:
      group: ${pipelineId(pipeline)}/\${{ startsWith(github.event.comment.body, '/rampart apply') && 'apply' || github.run_id }}
      cancel-in-progress: false
    runs-on: ubuntu-latest
    environment: \${{ startsWith(github.event.comment.body, '/rampart apply') && 'fleet' || 'fleet-read' }}
    steps:
      # The files of the pull request are data. The Action runs none of them.
      - uses: ${checkout}
        with:
          ref: refs/pull/\${{ github.event.issue.number }}/merge
          fetch-depth: 0
          persist-credentials: false
${restoreState(pipeline)}${writeKey(pipeline)}      - uses: ${actionOf(pipeline)}
        with:
          mode: command
${projectInputs(pipeline)}${accountEnvironment(pipeline, 'command')}${saveState(pipeline, "startsWith(github.event.comment.body, '/rampart apply')")}`;
}

function driftWorkflow(pipeline: Pipeline): string {
  return `# Compares the fleet with the desired state each morning. One issue shows what someone has changed by hand. The issue is
# updated each day and closed when there is no drift.
name: ${nameOf(pipeline, 'drift')}
on:
  schedule:
    - cron: '17 5 * * *'
  workflow_dispatch:

permissions:
  contents: read
  issues: write

# One issue needs one run at a time.
concurrency:
  group: ${pipelineId(pipeline)}/drift
  cancel-in-progress: false

jobs:
  drift:
    runs-on: ubuntu-latest
    environment: fleet-read
    steps:
      - uses: ${checkout}
        with:
          persist-credentials: false
      # The state after the last apply, to distinguish drift from pending changes.
${restoreState(pipeline)}${writeKey(pipeline)}      - uses: ${actionOf(pipeline)}
        with:
          mode: drift
${projectInputs(pipeline)}          issue: update
${accountEnvironment(pipeline, 'read')}`;
}

function forksWorkflow(pipeline: Pipeline): string {
  const { folder, files } = pipeline;
  return `# Pull requests from forks get no secrets, so this workflow plans on a snapshot in the repository, and from YAML only.
# The token can't write comments, so the job summary shows the plan.
name: ${nameOf(pipeline, 'review of forks')}
on:
  pull_request:
    paths: [${watchedPaths(pipeline).map(quoted).join(', ')}]

permissions:
  contents: read

jobs:
  plan:
    if: github.event.pull_request.head.repo.full_name != github.repository
    runs-on: ubuntu-latest
    steps:
      - uses: ${checkout}
        with:
          fetch-depth: 0
          persist-credentials: false
      - uses: ${actionOf(pipeline)}
        with:
${inputLines({ 'working-directory': folder === '' ? undefined : quoted(folder), files: files.map(quoted).join(' ') })}          observed: ${snapshotFile}
          comment: 'off'
`;
}

function nameOf({ folder }: Pipeline, what: string): string {
  return folder === '' ? `fleet ${what}` : quoted(`fleet ${what} (${folder})`);
}

function actionOf({ action, actionVersion }: Pipeline): string {
  return actionVersion === undefined ? action : `${action} # ${actionVersion}`;
}

/** The same in each mode, because a plan records its files. */
function projectInputs(pipeline: Pipeline): string {
  const { folder, files, source } = pipeline;
  return inputLines({
    'working-directory': folder === '' ? undefined : quoted(folder),
    files: files.map(quoted).join(' '),
    account: source.kind === 'account' ? quoted(source.account) : undefined,
    flags:
      source.kind === 'emulator'
        ? `|\n            ${sourceFlags(pipeline).join('\n            ')}`
        : undefined,
    'comment-key': folder === '' ? undefined : quoted(projectKey(pipeline)),
  });
}

function inputLines(inputs: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(inputs)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `          ${name}: ${value}\n`)
    .join('');
}

const stateUrls = {
  read: `          # Optional: the same database as a user who may only read.
          RAMPART_STATE_URL: \${{ secrets.RAMPART_STATE_READ_URL }}
`,
  write: `          # Optional: a database that all jobs share. Without it, .rampart is kept in the cache.
          RAMPART_STATE_URL: \${{ secrets.RAMPART_STATE_URL }}
`,
  command: `          # Optional: a database that all jobs share. Without it, .rampart is kept in the cache.
          RAMPART_STATE_URL: \${{ startsWith(github.event.comment.body, '/rampart apply') && secrets.RAMPART_STATE_URL || secrets.RAMPART_STATE_READ_URL }}
`,
};

function accountEnvironment({ source }: Pipeline, state: keyof typeof stateUrls): string {
  if (source.kind === 'emulator') return '';
  const { variable: name } = source;
  const key = name && `          ${name}_FILE: \${{ runner.temp }}/${keyFileName(name)}\n`;
  return `        env:\n${key ?? ''}${stateUrls[state]}`;
}

/** The environment of a process can be read by every other process of its user, so the Action gets the key as a file. */
function writeKey({ source }: Pipeline): string {
  if (source.kind === 'emulator' || source.variable === undefined) return '';
  return `      - name: Write the key to a file
        run: (umask 077 && printenv KEY > "$RUNNER_TEMP/${keyFileName(source.variable)}")
        env:
          KEY: \${{ secrets.${source.variable} }}
`;
}

function restoreState(pipeline: Pipeline): string {
  const folder = fromRoot(pipeline, '.rampart');
  return `      # Records of earlier runs come from the cache only: a change could bring forged ones, and this job would keep them.
      - run: rm -rf "${folder}"
      - uses: ${restoreCache}
        with:
          path: ${quoted(folder)}
          key: ${pipelineId(pipeline)}/state-\${{ github.run_id }}
          restore-keys: ${pipelineId(pipeline)}/state-
`;
}

function saveState(pipeline: Pipeline, condition?: string): string {
  return `      # The next run needs the record of a failed run most.
      - if: always()${condition === undefined ? '' : ` && ${condition}`}
        uses: ${saveCache}
        with:
          path: ${quoted(fromRoot(pipeline, '.rampart'))}
          key: ${pipelineId(pipeline)}/state-\${{ github.run_id }}-\${{ github.run_attempt }}
`;
}

/** Plain words need no quotes in YAML; all others are quoted. */
function quoted(text: string): string {
  return /^[a-z_.][\w./-]*$/i.test(text) && !/^(?:true|false|yes|no|on|off|null|y|n)$/i.test(text)
    ? text
    : `'${text.replaceAll("'", "''")}'`;
}
