import { type Command, Option } from 'commander';
import type { ApplyFlags } from './commands/apply.ts';
import { examples } from './examples.ts';
import { readCount, readDuration } from './option-values.ts';
import { addFileFlag, addPlanningFlags } from './planning-options.ts';
import type { Register } from './register.ts';

/** The commands that carry out plans, and those around runs. */
export function addRunCommands(program: Command, register: Register): void {
  const apply = addRunFlags(addPlanningFlags(addFileFlag(program.command('apply'))))
    .argument('[plan]', 'a plan file made by plan --out; it is the approval')
    .description('carry out a plan')
    .option('--auto-approve', 'do not ask before applying a desired state')
    .option('--skip-stale', 'leave out hosts that have moved since the plan was made, and go on')
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
    (await import('./commands/apply.ts')).apply(context, flags, plan),
  );

  const unlock = program
    .command('unlock')
    .description('break the lock that a run has left behind')
    .addHelpText('after', examples('rampart unlock'));
  register(unlock, async (context) => (await import('./commands/unlock.ts')).unlock(context));
}

/** How a run goes, whatever its plan comes from. */
function addRunFlags(command: Command): Command {
  return command
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
