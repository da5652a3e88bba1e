import type { PlanRow } from '../../api/client/generated/shapes.ts';
import { problem } from '../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../core/problem/result.ts';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import { openClient, resultOfAnswer, type ServerFlag } from '../server/open-client.ts';
import type { Context } from '../shell/context.ts';

export interface ApproveFlags extends ServerFlag {
  readonly checksum?: string;
  readonly ack?: Readonly<Record<string, number>>;
  readonly comment?: string;
  readonly ticket?: string;
}

/** Approves a plan of a server, bound to its checksum. */
export async function approve(context: Context, flags: ApproveFlags, id: string): Promise<ExitCode> {
  const checksum = checksumOf(flags);
  if (!checksum.ok) return context.fail(checksum.problems);
  const client = openClient(context, flags);
  if (!client.ok) return context.fail(client.problems);
  const { ack: numbers = {}, comment, ticket } = flags;
  const body = { checksum: checksum.value, numbers, comment, ticket };
  const decided = resultOfAnswer(await client.value.approvePlan({ id, body }));
  if (!decided.ok) return context.fail(decided.problems);
  return printPlan(context, decided.value);
}

export interface RejectFlags extends ServerFlag {
  readonly checksum?: string;
  readonly reason?: string;
}

/** Rejects a plan of a server, with a reason. */
export async function reject(context: Context, flags: RejectFlags, id: string): Promise<ExitCode> {
  const checksum = checksumOf(flags);
  if (!checksum.ok) return context.fail(checksum.problems);
  const { reason } = flags;
  if (reason === undefined) return context.fail([noReason]);
  const client = openClient(context, flags);
  if (!client.ok) return context.fail(client.problems);
  const decided = resultOfAnswer(
    await client.value.rejectPlan({ id, body: { checksum: checksum.value, reason } }),
  );
  if (!decided.ok) return context.fail(decided.problems);
  return printPlan(context, decided.value);
}

function checksumOf({ checksum }: { readonly checksum?: string }): Result<string> {
  return checksum === undefined ? failed(noChecksum) : ok(checksum);
}

function printPlan(context: Context, plan: PlanRow): ExitCode {
  if (context.settings.format === 'json') context.printJson(plan);
  else context.print(`${planWords(plan)}\n`);
  return exitCodes.success;
}

function planWords({ id, account, state, approvals, required }: PlanRow): string {
  const plan = `Plan ${id} of ${account}`;
  if (state !== 'waiting') return `${plan} is ${state}.`;
  const given = approvals.filter(({ decision }) => decision === 'approved').length;
  return `${plan} has ${given} of ${required.approvals} approvals.`;
}

const noChecksum = problem('usage', 'the checksum of the plan is missing', {
  hint: 'review the plan with rampart show PLAN --server, then run one of the commands that it prints',
});
const noReason = problem('usage', 'the reason is missing', { hint: 'pass it with --reason' });
