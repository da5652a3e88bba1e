import type { Command } from 'commander';
import type { PlanFlags } from './commands/plan.ts';
import type { ValidateFlags } from './commands/validate.ts';
import { examples } from './examples.ts';
import { addMarkdownLimit } from './markdown-flags.ts';
import { addFileFlag, addPlanningFlags } from './planning-options.ts';
import type { ReviewFlags } from './print-review.ts';
import type { Register } from './register.ts';

/** The commands around a desired state and its plan, none of which changes the fleet. */
export function addChangeCommands(program: Command, register: Register): void {
  const validate = addFileFlag(program.command('validate'))
    .description('check the desired state by itself; nothing is sent')
    .addHelpText('after', examples('rampart validate', 'rampart validate -f fleet/ --json'));
  register(validate, async (context, flags: ValidateFlags) =>
    (await import('./commands/validate.ts')).validate(context, flags),
  );

  const plan = addMarkdownLimit(addPlanningFlags(addFileFlag(program.command('plan'))))
    .description('show what would change; only reads')
    .option('--out <file>', 'save the plan, for: rampart apply FILE')
    .option('--detailed-exitcode', 'exit 2 when there are changes')
    .option('--observed <file>', 'plan on a snapshot of the fleet, without credentials')
    .option('--rehearse', 'run the plan on an emulated copy of the fleet, and show what came of it')
    .addHelpText(
      'after',
      examples(
        'rampart plan',
        'rampart plan -f fleet/ --out plan.json',
        'rampart plan --detailed-exitcode --json > plan.json',
        'rampart plan --observed fleet.snapshot.json',
        'rampart plan --ack delete=28',
        'rampart plan --format markdown > comment.md',
      ),
    );
  register(plan, async (context, flags: PlanFlags) =>
    (await import('./commands/plan.ts')).plan(context, flags),
  );

  const show = addMarkdownLimit(program.command('show'))
    .argument('<plan>', 'a plan file')
    .description('show a saved plan')
    .addHelpText(
      'after',
      examples(
        'rampart show plan.json',
        'rampart show plan.json --json',
        'rampart show plan.json --format markdown --markdown-limit 1000000',
      ),
    );
  register(show, async (context, flags: ReviewFlags, [file = '']) =>
    (await import('./commands/show.ts')).show(context, file, flags),
  );
}
