import { type Command, Option } from 'commander';
import type { ApplyFlags } from '../commands/apply.ts';
import type { RehearseFlags } from '../commands/rehearse.ts';
import type { UndoFlags } from '../commands/undo.ts';
import { examples } from '../shell/examples.ts';
import { readAck, readCanary, readCount, readDuration, readRate } from '../shell/option-values.ts';
import type { Commands, Register } from '../shell/register.ts';
import { addFileFlag, addPlanningFlags } from './planning-options.ts';

/** The commands that carry out plans, and those around runs. */
export const runCommands: Commands = {
  apply: addApply,
  undo: addUndo,
  rehearse: addRehearse,
  runs: addRuns,
  unlock: addUnlock,
};

function addApply(program: Command, register: Register): void {
  const apply = addRunFlags(addPlanningFlags(addFileFlag(program.command('apply'))))
    .argument('[plan]', 'a plan file made by plan --out; it is the approval')
    .description('carry out a plan')
    .addOption(
      new Option('--checksum <hex>', 'apply only the plan with this checksum, which is the approval'),
    )
    .option('--out <file>', 'with -f: keep the plan that was made, carried out or not')
    .option('--summary-out <file>', 'keep the summary of the run: the last event of --json')
    .addOption(
      new Option('--max-plan-age <time>', 'refuse a plan file that is older').argParser(readDuration),
    )
    .addHelpText(
      'after',
      examples(
        'rampart apply plan.json',
        'rampart apply -f fleet.yaml',
        'rampart apply -f fleet/ --auto-approve --ack delete=28',
        'rampart apply plan.json --max-calls 500 --deadline 30m',
        'rampart apply plan.json --json | tee events.ndjson',
      ),
    );
  register(apply, async (context, flags: ApplyFlags, [plan]) =>
    (await import('../commands/apply.ts')).apply(context, flags, plan),
  );
}

function addUndo(program: Command, register: Register): void {
  const undo = addRunFlags(program.command('undo'))
    .argument('[run]', 'a run of: rampart runs (the latest)')
    .description('plan the way back of a run, and carry it out')
    .option('--out <file>', 'save the plan of the way back, and change nothing')
    .addOption(
      new Option('--ack <kind=count>', 'agree to exactly so many beyond a limit; repeatable').argParser(
        readAck,
      ),
    )
    .addHelpText('after', examples('rampart undo', 'rampart undo 20261121T090000Z-3f9a1c --out undo.json'));
  register(undo, async (context, flags: UndoFlags, [run]) =>
    (await import('../commands/undo.ts')).undo(context, flags, run),
  );
}

function addRehearse(program: Command, register: Register): void {
  const rehearse = program
    .command('rehearse')
    .argument('<plan>', 'a plan file')
    .description('run a plan on an emulated copy of the fleet, with and without faults')
    .option('--observed <file>', 'rehearse on a snapshot of the fleet, without credentials')
    .addOption(
      new Option('--assume-rate <number>', 'calls a second that the service accepts').argParser(readRate),
    )
    .addOption(new Option('--assume-latency <time>', 'how long one call takes').argParser(readDuration))
    .addHelpText(
      'after',
      examples('rampart rehearse plan.json', 'rampart rehearse plan.json --assume-rate 50'),
    );
  register(rehearse, async (context, flags: RehearseFlags, [plan = '']) =>
    (await import('../commands/rehearse.ts')).rehearse(context, plan, flags),
  );
}

function addRuns(program: Command, register: Register): void {
  const runs = program
    .command('runs')
    .description('past runs, latest first')
    .addHelpText(
      'after',
      examples(
        'rampart runs',
        'rampart runs show 20261121T090000Z-3f9a1c',
        'rampart runs export 20261121T090000Z-3f9a1c',
      ),
    );
  register(runs, async (context) => (await import('../commands/runs.ts')).listRuns(context));
  const showRun = runs.command('show').argument('<run>', 'its id').description('one run, step by step');
  register(showRun, async (context, _flags, [run = '']) =>
    (await import('../commands/runs.ts')).showRun(context, run),
  );
  const exportRun = runs
    .command('export')
    .argument('<run>', 'its id')
    .description('the changes of one run, as NDJSON');
  register(exportRun, async (context, _flags, [run = '']) =>
    (await import('../commands/runs.ts')).exportRun(context, run),
  );
}

function addUnlock(program: Command, register: Register): void {
  const unlock = program
    .command('unlock')
    .description('break the lock that a run has left behind')
    .addHelpText('after', examples('rampart unlock'));
  register(unlock, async (context) => (await import('../commands/unlock.ts')).unlock(context));
}

/** How a run goes, whatever its plan comes from. */
function addRunFlags(command: Command): Command {
  return command
    .option('--auto-approve', 'do not ask before applying')
    .option('--skip-stale', 'leave out hosts that have moved since the plan was made, and go on')
    .addOption(
      new Option(
        '--max-read-age <time>',
        'read the list again before a deletion if the latest read is older (1m)',
      ).argParser(readDuration),
    )
    .addOption(
      new Option(
        '--canary <hosts>',
        'so many hosts first, a number or a share like 5%; the rest once they are verified',
      ).argParser(readCanary),
    )
    .addOption(
      new Option('--lock-timeout <time>', 'wait so long for another run to end (0s)').argParser(readDuration),
    )
    .addOption(
      new Option('--max-calls <count>', 'stop at a safe point before more calls than this').argParser(
        readCount(1, 999_999_999),
      ),
    )
    .addOption(new Option('--deadline <time>', 'begin nothing new after this time').argParser(readDuration));
}
