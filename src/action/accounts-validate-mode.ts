import { hasErrors, type Problem } from '../core/problem/problem.ts';
import { count } from '../output/review/count.ts';
import { fenced } from '../output/review/fenced.ts';
import { type AccountOutput, accountOutputs, inAccount } from './account-outputs.ts';
import type { Job } from './job.ts';
import type { Outcome } from './outcome.ts';
import { type CommandEnd, runCommand } from './run-command.ts';
import { problemsIn, readProblems, validateFlags, validateTitle } from './validate-mode.ts';

/** Checks the desired states of all selected accounts, without a request. */
export async function accountsValidateMode(job: Job, accounts: string): Promise<Outcome> {
  const argv = ['validate', ...validateFlags(job), `--accounts=${accounts}`, '--json'];
  const end = await runCommand(argv, job, { hidden: 'data' });
  const outputs = accountOutputs(end);
  const problems = outputs === undefined ? readProblems(end) : problemsOver(outputs);
  return {
    exitCode: end.code,
    problems,
    markdown: (limit) => validity(outputs, problems, end, limit),
    outputs: {},
  };
}

/** A problem in a file that several accounts share appears once. */
function problemsOver(outputs: readonly AccountOutput[]): readonly Problem[] {
  const found = new Map<string, Problem>();
  for (const { account, output } of outputs) {
    for (const each of problemsIn(output ?? {})) {
      const shown = each.place === undefined ? inAccount(account, each) : each;
      const key = JSON.stringify(shown);
      if (!found.has(key)) found.set(key, shown);
    }
  }
  return [...found.values()];
}

function validity(
  outputs: readonly AccountOutput[] | undefined,
  problems: readonly Problem[],
  { err }: CommandEnd,
  limit: number,
): string {
  const head = `${validateTitle}**${words(outputs, problems)}**\n\n`;
  const messages = err.trim();
  return messages === '' ? head : head + fenced(messages, limit - head.length);
}

function words(outputs: readonly AccountOutput[] | undefined, problems: readonly Problem[]): string {
  if (outputs === undefined) return `No desired state was checked: ${count(problems.length, 'problem')}.`;
  const bad = outputs.filter(({ output }) => output === null || hasErrors(problemsIn(output)));
  const all = count(outputs.length, 'account');
  return bad.length === 0
    ? `The desired state is valid in ${all}.`
    : `The desired state is not valid in ${bad.length} of ${all}: ${count(problems.length, 'problem')}.`;
}
