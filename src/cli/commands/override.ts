import { problem } from '../../core/problem/problem.ts';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import { openClient, resultOfAnswer, type ServerFlag } from '../server/open-client.ts';
import type { Context } from '../shell/context.ts';

export interface OverrideFlags extends ServerFlag {
  readonly reason?: string;
}

/** Lets the run of --account start or continue while a change window is closed. */
export async function override(context: Context, flags: OverrideFlags): Promise<ExitCode> {
  const { reason = '' } = flags;
  if (reason.trim() === '') return context.fail([noReason]);
  const [account, ...others] = context.settings.accountNames;
  if (account === undefined || others.length > 0 || context.settings.accountsWhere !== undefined)
    return context.fail([oneAccount]);
  const client = openClient(context, flags);
  if (!client.ok) return context.fail(client.problems);
  const runs = resultOfAnswer(await client.value.listRuns({ account, state: 'queued,running', limit: 1 }));
  if (!runs.ok) return context.fail(runs.problems);
  const [run] = runs.value.items;
  if (run === undefined) {
    const hint = 'approve its plan first: rampart server status lists the plans that wait';
    return context.fail([problem('not-found', `no run of the account "${account}" waits`, { hint })]);
  }
  const overridden = resultOfAnswer(await client.value.overrideRun({ id: run.id, body: { reason } }));
  if (!overridden.ok) return context.fail(overridden.problems);
  if (context.settings.format === 'json') context.printJson(overridden.value);
  else context.print(`Run ${run.id} of ${account} no longer waits for change windows.\n`);
  return exitCodes.success;
}

const noReason = problem('usage', 'the reason is missing', { hint: 'pass it with --reason' });
const oneAccount = problem('usage', 'give one account', {
  hint: 'for example: rampart server override --account berlin --reason "incident 4711"',
});
