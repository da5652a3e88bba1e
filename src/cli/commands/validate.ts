import { printable } from '../../core/lib/printable.ts';
import { count } from '../../output/review/count.ts';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import { readDesiredState } from '../planning/read-desired-state.ts';
import type { Context } from '../shell/context.ts';
import { problemDocument } from '../shell/problem-document.ts';

export interface ValidateFlags {
  readonly file?: readonly string[];
}

/** Checks the desired state alone; nothing is sent. */
export async function validate(context: Context, { file }: ValidateFlags): Promise<ExitCode> {
  const desired = await readDesiredState(file ?? [], context);
  if (context.settings.format === 'json') context.printJson(problemDocument(desired.problems));
  if (!desired.ok) return context.fail(desired.problems);
  context.report(desired.problems);
  const { files, count: entries, rules } = desired.value;
  if (context.settings.format === 'text') {
    const words = [
      count(entries, 'entry', 'entries'),
      ...(rules.length === 0 ? [] : [count(rules.length, 'rule')]),
    ].join(' and ');
    context.print(`Valid: ${words} in ${files.map(printable).join(', ')}.\n`);
  }
  return exitCodes.success;
}
