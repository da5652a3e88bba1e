import type { Context } from '../cli/shell/context.ts';
import { problem } from '../core/problem/problem.ts';
import type { ExitCode } from '../run/apply/exit-code.ts';

/** Stands in for the commands of the server in the Action, whose steps end. Their parts would double its size. */
export async function server(context: Context): Promise<ExitCode> {
  return context.fail([
    problem('usage', 'the Action does not contain the server', {
      hint: 'run rampart server and rampart server worker from the package or the image of Rampart',
    }),
  ]);
}

export function worker(context: Context): Promise<ExitCode> {
  return server(context);
}
