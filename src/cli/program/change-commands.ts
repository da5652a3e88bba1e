import type { PlanFlags } from '../planning/plan-once.ts';
import { addReviewFlags, addSummaryFlag } from '../shell/review-flags.ts';
import { durationOption, readRate, readTicket } from '../shell/settings.ts';
import type { CliCommand, Commands } from './cli-command.ts';
import {
  type AckFlag,
  accountAckOption,
  addInstallFlags,
  addPlanningFlags,
  bothAcks,
  emptyFleetOption,
  requireSignatureOption,
  signOption,
} from './planning-options.ts';

/** The commands for a desired state and its plan. None of them changes the fleet. */
export const changeCommands: Commands = {
  validate: addValidate,
  plan: addPlan,
  test: addTest,
  explain: addExplain,
  coverage: addCoverage,
  drift: addDrift,
  show: addShow,
  verify: addVerify,
};

function addValidate(program: CliCommand): void {
  program
    .command('validate')
    .desiredFiles()
    .description('Check the desired state without contacting the service.')
    .option('--analyze', 'Also report rules that have no effect or contradict each other.')
    .examples('rampart validate --analyze', 'rampart validate -f fleet/ --json')
    .runs('each', async () => (await import('../commands/validate.ts')).validate);
}

function addPlan(program: CliCommand): void {
  const plan = addReviewFlags(addPlanningFlags(program.command('plan').desiredFiles()))
    .addOption(accountAckOption())
    .description('Show what would change. Sends only reads.')
    .option(
      '--out <path>',
      'Save the plan to this file, for rampart apply FILE. With several accounts: to this folder, with an index.',
    )
    .option('--detailed-exitcode', 'Exit with code 2 if there are changes.')
    .observed('Plan against this snapshot of the fleet. Needs no credentials.')
    .option(
      '--base <rev>',
      'Separate the changes since this base from those that were already pending. Takes a Git revision or a file.',
    )
    .addOption(signOption())
    .option('--ticket <number>', 'Make the plan for this change ticket, and for no other.', readTicket)
    .option('--rehearse', 'Run the plan on an emulated copy of the fleet and show the result.')
    .examples(
      'rampart plan',
      'rampart plan -f fleet/ --out plan.json',
      'rampart plan --detailed-exitcode --json > plan.json',
      'rampart plan --ack delete=28',
      'rampart plan --format markdown > comment.md',
      'rampart plan --format html > report.html',
      'rampart plan --base fleet.yaml',
      `rampart plan --accounts 'region == "eu"' --out plans/`,
    )
    .prints('markdown', 'html', 'gitlab')
    .runs(
      'together',
      async () =>
        async (context, { ack, ...flags }: Omit<PlanFlags, 'ack'> & AckFlag) =>
          (await import('../commands/plan.ts')).plan(context, { ...flags, ...bothAcks(ack) }),
    );
  addRehearse(plan);
  addSign(plan);
  addNote(plan);
}

function addRehearse(planCommand: CliCommand): void {
  addSummaryFlag(planCommand.command('rehearse'))
    .argument('<plan>', 'Plan file, or with --server the id of a plan.')
    .description('Run a plan on an emulated copy of the fleet, with and without faults.')
    .askServer(
      'Ask the Rampart server at this address to rehearse one of its plans (default: RAMPART_SERVER).',
    )
    .observed('Rehearse on this snapshot of the fleet. Needs no credentials.')
    .option('--assume-rate <number>', 'Assume that the service accepts this many calls per second.', readRate)
    .option('--assume-latency <time>', 'Assume that one call takes this long.', durationOption)
    .examples(
      'rampart plan rehearse plan.json',
      'rampart plan rehearse plan.json --assume-rate 50',
      'rampart plan rehearse 7d2c91f0-8a4e-4b52-9d0e-5b1f3c6a7e21 --server',
    )
    .runs('one', async () => (await import('../commands/rehearse.ts')).rehearseCommand);
}

function addTest(program: CliCommand): void {
  program
    .command('test')
    .desiredFiles()
    .argument(
      '[paths...]',
      'Test files or folders of test files (default: this folder and the folders of -f).',
    )
    .description('Plan the cases in *.rampart-test.yaml files and check the results. Sends nothing.')
    .examples('rampart test', 'rampart test policies.rampart-test.yaml --json', 'rampart test -f fleet/')
    .runs('each', async () => (await import('../commands/test.ts')).test);
}

function addExplain(program: CliCommand): void {
  program
    .command('explain')
    .desiredFiles()
    .argument('<host>', 'Host id, current name, or name in the desired state.')
    .description('Show which entry or rule sets each attribute of a host.')
    .observed()
    .examples('rampart explain LOBBY', 'rampart explain 200 --json')
    .runs('one', async () => (await import('../commands/explain.ts')).explainCommand);
}

function addCoverage(program: CliCommand): void {
  program
    .command('coverage')
    .desiredFiles()
    .description(
      'Compare the tables of the desired state with the fleet: assets without a host, hosts without an asset, duplicates.',
    )
    .option('--table <name>', 'Only this table of the desired state.')
    .option('--by <column>', 'Count by the values of this column of the table, such as Site.')
    .observed()
    .option('--detailed-exitcode', 'Exit with code 2 if there are findings.')
    .examples(
      'rampart coverage',
      'rampart coverage --by Site',
      'rampart coverage --table asset --format csv > gaps.csv',
      'rampart coverage --format markdown > comment.md',
    )
    .prints('csv', 'ndjson', 'markdown')
    .runs('each', async () => (await import('../commands/coverage.ts')).coverage);
}

function addDrift(program: CliCommand): void {
  addInstallFlags(program.command('drift').desiredFiles())
    .description('Show changes made outside Rampart, separately from changes in the file. Sends only reads.')
    .option('--since <file>', 'Compare with this plan or snapshot (default: the result of the last run).')
    .option('--all', 'Also list unmanaged hosts.')
    .option('--detailed-exitcode', 'Exit with code 2 if there is drift.')
    .option(
      '--issue [key]',
      'Report the drift in one issue in the project of this GitLab or Azure pipeline. Update the issue, and close it when there is no drift. Each key has its own issue (default: the account name, or "default"). With several accounts, a key without {name} is one issue for all.',
    )
    .addOption(emptyFleetOption())
    .observed()
    .examples(
      'rampart drift',
      'rampart drift --since plan.json',
      'rampart drift --detailed-exitcode --json',
      'rampart drift --issue',
      `rampart drift --accounts 'region == "eu"' --issue eu`,
    )
    .runs('each', async () => (await import('../commands/drift.ts')).drift);
}

function addShow(program: CliCommand): void {
  addReviewFlags(program.command('show'))
    .argument('<plan>', 'Plan file, the folder of the plans of several accounts, or with --server a plan id.')
    .description('Show a saved plan, the saved plans of several accounts, or a plan of a Rampart server.')
    .askServer(
      'Show a plan of the Rampart server at this address, with its checksum (default: RAMPART_SERVER).',
    )
    .examples(
      'rampart show plan.json',
      'rampart show plan.json --json',
      'rampart show plan.json --summary',
      'rampart show plans/',
      'rampart show plan.json --format markdown --markdown-limit 1000000',
      'rampart show 7d2c91f0-8a4e-4b52-9d0e-5b1f3c6a7e21 --server',
    )
    .prints('markdown', 'html', 'gitlab')
    .runs('none', async () => (await import('../commands/show.ts')).show);
}

function addVerify(program: CliCommand): void {
  program
    .command('verify')
    .argument('<plan>', 'Plan file.')
    .description(
      'Check a saved plan without the planner: names stay unique, nothing else changes, and no plan needs fewer calls. Sends nothing.',
    )
    .observed('Compare the plan with this snapshot of the fleet, too.')
    .addOption(requireSignatureOption())
    .examples('rampart verify plan.json', 'rampart verify plan.json --observed fleet.snapshot.json')
    .runs('none', async () => (await import('../commands/verify.ts')).verifyCommand);
}

function addSign(planCommand: CliCommand): void {
  planCommand
    .command('sign')
    .argument('<plan>', 'Plan file, or folder of the plans of several accounts.')
    .description('Sign a saved plan with the key in RAMPART_SIGNING_KEY_FILE.')
    .option('--sign-for <time>', 'How long the signature is valid (default: 48h).', durationOption)
    .examples('rampart plan sign plan.json --sign-for 12h')
    .runs('none', async () => (await import('../commands/sign.ts')).sign);
}

function addNote(plan: CliCommand): void {
  plan
    .command('note')
    .argument('<plan>', 'Plan file, or folder of the plans of several accounts.')
    .description(
      'Post a plan as a note on the merge request of this GitLab pipeline, and update that note later.',
    )
    .option(
      '--key <word>',
      'Maintain a separate note for each key, for example one per account (default: default).',
    )
    .option('--recreate', 'Delete the old note and post a new one at the end.')
    .option(
      '--label',
      'Label the merge request with the verdict: rampart/no-changes, rampart/changes, rampart/deletes or rampart/failed.',
    )
    .examples(
      'rampart plan note plan.json --label',
      'rampart plan note plan.json --key berlin',
      'rampart plan note plans/',
    )
    .runs('one', async () => (await import('../commands/note.ts')).noteCommand);
}
