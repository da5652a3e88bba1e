import type { Command } from 'commander';
import type { DriftFlags } from '../commands/drift.ts';
import type { NoteFlags } from '../commands/note.ts';
import type { PlanFlags } from '../commands/plan.ts';
import type { TestFlags } from '../commands/test.ts';
import type { ValidateFlags } from '../commands/validate.ts';
import type { FleetFlags } from '../planning/fleet-to-plan.ts';
import type { ReviewFlags } from '../planning/print-review.ts';
import { examples } from '../shell/examples.ts';
import type { Commands, Register } from '../shell/register.ts';
import { addReviewFlags } from '../shell/review-flags.ts';
import { addFileFlag, addInstallFlags, addPlanningFlags } from './planning-options.ts';

/** The commands around a desired state and its plan, none of which changes the fleet. */
export const changeCommands: Commands = {
  validate: addValidate,
  plan: addPlan,
  test: addTest,
  explain: addExplain,
  drift: addDrift,
  show: addShow,
  note: addNote,
};

function addValidate(program: Command, register: Register): void {
  const validate = addFileFlag(program.command('validate'))
    .description('check the desired state by itself; nothing is sent')
    .addHelpText('after', examples('rampart validate', 'rampart validate -f fleet/ --json'));
  register(validate, async (context, flags: ValidateFlags) =>
    (await import('../commands/validate.ts')).validate(context, flags),
  );
}

function addPlan(program: Command, register: Register): void {
  const plan = addReviewFlags(addPlanningFlags(addFileFlag(program.command('plan'))))
    .description('show what would change; only reads')
    .option('--out <file>', 'save the plan, for: rampart apply FILE')
    .option('--detailed-exitcode', 'exit 2 when there are changes')
    .option('--observed <file>', 'plan on a snapshot of the fleet, without credentials')
    .option('--base <rev>', 'tell what this change does from what was pending: a Git revision or a file')
    .option('--rehearse', 'run the plan on an emulated copy of the fleet, and show what came of it')
    .addHelpText(
      'after',
      examples(
        'rampart plan',
        'rampart plan -f fleet/ --out plan.json',
        'rampart plan --detailed-exitcode --json > plan.json',
        'rampart plan --observed fleet.snapshot.json',
        'rampart plan --ack delete=28',
        'rampart plan --summary',
        'rampart plan --format markdown > comment.md',
        'rampart plan --format html > report.html',
        'rampart plan --base fleet.yaml',
      ),
    );
  register(plan, async (context, flags: PlanFlags) =>
    (await import('../commands/plan.ts')).plan(context, flags),
  );
}

function addTest(program: Command, register: Register): void {
  const test = addFileFlag(program.command('test'))
    .argument('[paths...]', 'files of tests, or folders with them (this one, and those beside -f)')
    .description('plan the cases of *.rampart-test.yaml files, and check what comes of them; nothing is sent')
    .addHelpText(
      'after',
      examples('rampart test', 'rampart test policies.rampart-test.yaml --json', 'rampart test -f fleet/'),
    );
  register(test, async (context, flags: TestFlags) =>
    (await import('../commands/test.ts')).test(context, test.args, flags),
  );
}

function addExplain(program: Command, register: Register): void {
  const explain = addFileFlag(program.command('explain'))
    .argument('<host>', 'a host: its id, its name, or the name that it is to have')
    .description('tell who decides each attribute of a host, and why')
    .option('--observed <file>', 'explain on a snapshot of the fleet, without credentials')
    .addHelpText('after', examples('rampart explain LOBBY', 'rampart explain 200 --json'));
  register(explain, async (context, flags: FleetFlags, [host = '']) =>
    (await import('../commands/explain.ts')).explain(context, host, flags),
  );
}

function addDrift(program: Command, register: Register): void {
  const drift = addInstallFlags(addFileFlag(program.command('drift')))
    .description('tell what someone changed in the fleet from what someone changed in the file; only reads')
    .option('--since <file>', 'compare with a plan or a snapshot (what the last run left)')
    .option('--all', 'tell of hosts that nobody manages, too')
    .option('--detailed-exitcode', 'exit 2 when there is drift')
    .option('--allow-empty-fleet', 'accept a list without hosts although entries pin ids')
    .option('--observed <file>', 'look at a snapshot of the fleet, without credentials')
    .addHelpText(
      'after',
      examples(
        'rampart drift',
        'rampart drift --since plan.json',
        'rampart drift --detailed-exitcode --json',
      ),
    );
  register(drift, async (context, flags: DriftFlags) =>
    (await import('../commands/drift.ts')).drift(context, flags),
  );
}

function addShow(program: Command, register: Register): void {
  const show = addReviewFlags(program.command('show'))
    .argument('<plan>', 'a plan file')
    .description('show a saved plan')
    .addHelpText(
      'after',
      examples(
        'rampart show plan.json',
        'rampart show plan.json --json',
        'rampart show plan.json --summary',
        'rampart show plan.json --format markdown --markdown-limit 1000000',
      ),
    );
  register(show, async (context, flags: ReviewFlags, [file = '']) =>
    (await import('../commands/show.ts')).show(context, file, flags),
  );
}

function addNote(program: Command, register: Register): void {
  const note = program
    .command('note')
    .argument('<plan>', 'a plan file')
    .description('put a plan on the merge request of this GitLab pipeline, as one note kept up to date')
    .option('--key <word>', 'one note for each key, where several accounts have one each (default)')
    .option('--recreate', 'a new note at the end, in place of the old one')
    .addHelpText('after', examples('rampart note plan.json', 'rampart note plan.json --key berlin'));
  register(note, async (context, flags: NoteFlags, [file = '']) =>
    (await import('../commands/note.ts')).note(context, file, flags),
  );
}
