import type { Context } from '../cli/shell/context.ts';
import { problem } from '../core/problem/problem.ts';
import type { ExitCode } from '../run/apply/exit-code.ts';

/** Stands in for the commands that serve until someone ends them. Their parts would double the size of the Action. */
export async function server(context: Context): Promise<ExitCode> {
  return context.fail([
    problem('usage', 'the Action does not contain the server', {
      hint: 'run rampart server, rampart server worker and rampart mcp from the package or the image of Rampart',
    }),
  ]);
}

export function worker(context: Context): Promise<ExitCode> {
  return server(context);
}

export function mcp(context: Context): Promise<ExitCode> {
  return server(context);
}
