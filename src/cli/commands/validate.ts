import { printable } from '../../core/lib/printable.ts';
import { count } from '../../core/lib/words.ts';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import { readDesiredState } from '../planning/read-desired-state.ts';
import type { Context } from '../shell/context.ts';
import { problemDocument } from '../shell/problem-document.ts';

export interface ValidateFlags {
  readonly file?: readonly string[];
  readonly analyze?: true;
}

/** Checks the desired state alone; nothing is sent. */
export async function validate(context: Context, { file, analyze }: ValidateFlags): Promise<ExitCode> {
  const desired = await readDesiredState(file ?? [], context);
  const remarks =
    desired.ok && analyze === true
      ? (await import('../../core/plan/analyze-rules.ts')).analyzeRules(desired.value)
      : [];
  const problems = [...desired.problems, ...remarks];
  if (context.settings.format === 'json') context.printJson(problemDocument(problems));
  if (!desired.ok) return context.fail(problems);
  context.report(problems);
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
