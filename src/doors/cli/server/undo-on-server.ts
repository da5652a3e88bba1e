import { type ExitCode, exitCodes } from '../../../control/engine/exit-code.ts';
import { problem } from '../../../core/problem/problem.ts';
import type { Context } from '../shell/context.ts';
import { openClient, resultOf, type ServerFlag } from './open-client.ts';

/** Has a server plan the reversal of one of its runs. The plan waits for approval like any other. */
export async function undoOnServer(
  context: Context,
  flags: ServerFlag & { readonly reason?: string },
  run: string | undefined,
): Promise<ExitCode> {
  const { reason } = flags;
  if (run === undefined || reason === undefined)
    return context.fail([
      problem('usage', `undo --server needs ${run === undefined ? 'the id of a run' : 'a reason'}`, {
        hint:
          run === undefined
            ? 'list the runs with: rampart runs --server'
            : 'add --reason TEXT; the server records it',
      }),
    ]);
  const client = openClient(context, flags);
  if (!client.ok) return context.fail(client.problems);
  const made = resultOf(await client.value.undoRun({ id: run, body: { reason } }));
  if (!made.ok) return context.fail(made.problems);
  const { plan } = made.value;
  if (context.settings.format === 'json') context.printJson(made.value);
  else
    context.print(
      `The reversal waits for approval as plan ${plan}. Review it with: rampart show ${plan} --server\n`,
    );
  return exitCodes.success;
}
