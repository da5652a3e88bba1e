import { type ExitCode, exitCodes } from '../../../control/engine/exit-code.ts';
import { printable } from '../../../core/lib/printable.ts';
import { planChecksum, readPlan } from '../../../core/plan/document/plan-document.ts';
import { printInFormat, type ReviewFlags } from '../planning/print-review.ts';
import type { Context } from '../shell/context.ts';
import { openClient, resultOf, type ServerFlag } from './open-client.ts';

/** Shows a plan of a server like a plan file. Text ends with the command that approves exactly this plan. */
export async function showOnServer(
  context: Context,
  flags: ServerFlag & ReviewFlags,
  id: string,
): Promise<ExitCode> {
  const client = openClient(context, flags);
  if (!client.ok) return context.fail(client.problems);
  const document = resultOf(await client.value.getPlanDocument({ id }));
  if (!document.ok) return context.fail(document.problems);
  const plan = readPlan(JSON.stringify(document.value), `plan ${printable(id)}`);
  if (!plan.ok) return context.fail(plan.problems);
  const row = resultOf(await client.value.getPlan({ id }));
  if (!row.ok) return context.fail(row.problems);
  await printInFormat(plan.value, context, flags);
  if (context.settings.format !== 'text') return exitCodes.success;
  const { account, state, required } = row.value;
  const name = `Plan ${printable(id)} of ${account}`;
  if (state !== 'waiting') {
    context.print(`\n${name} is ${state}.\n`);
    return exitCodes.success;
  }
  const numbers = required.numbers.map(({ limit, value }) => ` --ack ${limit}=${value}`).join('');
  // The checksum of what was shown, so that an approval can't be for anything else.
  const server = typeof flags.server === 'string' ? ` --server ${printable(flags.server)}` : '';
  const command = `rampart approve ${printable(id)} --checksum ${planChecksum(plan.value)}${numbers}${server}`;
  context.print(`\n${name} waits for approval. To approve exactly this plan, run:\n  ${command}\n`);
  return exitCodes.success;
}
