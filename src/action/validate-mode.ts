import type { Place } from '../core/problem/place.ts';
import { hasErrors, type Problem } from '../core/problem/problem.ts';
import { count } from '../output/review/count.ts';
import { fenced } from '../output/review/fenced.ts';
import type { Job } from './job.ts';
import type { Outcome } from './outcome.ts';
import { type CommandEnd, runCommand } from './run-command.ts';

export const validateTitle = '## Rampart validate\n\n';

export async function validateMode(job: Job): Promise<Outcome> {
  const end = await runCommand(['validate', ...validateFlags(job), '--json'], job, { hidden: 'data' });
  const problems = readProblems(end);
  return {
    exitCode: end.code,
    problems,
    markdown: (limit) => validity(problems, end, limit),
    outputs: {},
  };
}

/** The problems within the desired state. */
export async function fileProblems(job: Job): Promise<readonly Problem[]> {
  return readProblems(
    await runCommand(['validate', ...validateFlags(job), '--json'], job, { hidden: 'all' }),
  );
}

/** Planning flags do not apply to it. */
export function validateFlags({ inputs }: Job): readonly string[] {
  return inputs.files.map((file) => `--file=${file}`);
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

function validity(problems: readonly Problem[], { err }: CommandEnd, limit: number): string {
  const state = hasErrors(problems)
    ? `**The desired state is not valid: ${count(problems.length, 'problem')}.**`
    : '**The desired state is valid.**';
  const head = `${validateTitle}${state}\n\n`;
  const messages = err.trim();
  return messages === '' ? head : head + fenced(messages, limit - head.length);
}
