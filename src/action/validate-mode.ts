import { count } from '../core/lib/words.ts';
import { hasErrors, type Place, type Problem } from '../core/problem/problem.ts';
import { type Job, type Outcome, textOutcome } from './job.ts';
import { type AccountOutput, accountOutputs, type CommandEnd, inAccount, runCommand } from './run-command.ts';

/** Checks the desired state, or those of all selected accounts, without a request. */
export async function validateMode(job: Job): Promise<Outcome> {
  const end = await validate(job, 'data');
  const isOne = job.inputs.accounts === undefined;
  const { problems, words } = isOne ? validityOfOne(end) : validityOfAccounts(end);
  return textOutcome(end.code, `## Rampart validate\n\n**${words}**\n\n`, end.err.trim(), { problems });
}

/** The problems within the desired state. */
export async function fileProblems(job: Job): Promise<readonly Problem[]> {
  return readProblems(await validate(job, 'all'));
}

/** The flags of plans do not apply to it. */
function validate(job: Job, hidden: 'data' | 'all'): Promise<CommandEnd> {
  const { files, accounts } = job.inputs;
  const selection = accounts === undefined ? [] : [`--accounts=${accounts}`];
  const argv = ['validate', ...files.map((file) => `--file=${file}`), ...selection, '--json'];
  return runCommand(argv, job, { hidden });
}

interface Validity {
  readonly problems: readonly Problem[];
  readonly words: string;
}

function validityOfOne(end: CommandEnd): Validity {
  const problems = readProblems(end);
  const words = hasErrors(problems)
    ? `The desired state is not valid: ${count(problems.length, 'problem')}.`
    : 'The desired state is valid.';
  return { problems, words };
}

function validityOfAccounts(end: CommandEnd): Validity {
  const outputs = accountOutputs(end);
  if (outputs === undefined) {
    const problems = readProblems(end);
    return { problems, words: `No desired state was checked: ${count(problems.length, 'problem')}.` };
  }
  const problems = problemsOver(outputs);
  const bad = outputs.filter(({ output }) => output === null || hasErrors(problemsIn(output)));
  const all = count(outputs.length, 'account');
  const words =
    bad.length === 0
      ? `The desired state is valid in ${all}.`
      : `The desired state is not valid in ${bad.length} of ${all}: ${count(problems.length, 'problem')}.`;
  return { problems, words };
}

/** A problem in a file that several accounts share appears once. */
function problemsOver(outputs: readonly AccountOutput[]): readonly Problem[] {
  const found = outputs.flatMap(({ account, output }) =>
    problemsIn(output ?? {}).map((each) => (each.place === undefined ? inAccount(account, each) : each)),
  );
  return [...new Map(found.map((each) => [JSON.stringify(each), each])).values()];
}

interface DocumentedProblem extends Omit<Problem, 'place'> {
  readonly file?: string;
  readonly line?: number;
  readonly col?: number;
}

/** Reads the output of a command with `--json`. */
export function readProblems({ out }: CommandEnd): readonly Problem[] {
  return problemsIn(JSON.parse(out || '{}') as object);
}

/** The problems in a document of a command. */
export function problemsIn(document: object): readonly Problem[] {
  const { problems = [] } = document as { readonly problems?: readonly DocumentedProblem[] };
  return problems.map(({ code, severity, message, hint, file, line, col }) => ({
    code,
    severity,
    message,
    ...(hint === undefined ? {} : { hint }),
    ...(file === undefined || line === undefined ? {} : { place: toPlace(file, line, col) }),
  }));
}

function toPlace(file: string, line: number, col: number | undefined): Place {
  return col === undefined ? { file, line, col: 1, wholeLine: true } : { file, line, col };
}
