import type { PlanRow } from '../../api/client/generated/shapes.ts';
import { printable } from '../../core/lib/printable.ts';
import { problem } from '../../core/problem/problem.ts';
import type { ExitCode } from '../../run/apply/exit-code.ts';
import { askServer, type ServerFlag } from '../server/open-client.ts';
import type { Context } from '../shell/context.ts';

export interface ApproveFlags extends ServerFlag {
  readonly checksum?: string;
  readonly ack?: Readonly<Record<string, number>>;
  readonly comment?: string;
  readonly ticket?: string;
}

/** Approves a plan of a server, bound to its checksum. */
export async function approve(context: Context, flags: ApproveFlags, id: string): Promise<ExitCode> {
  const { checksum, ack: numbers = {}, comment, ticket } = flags;
  if (checksum === undefined) return context.fail([noChecksum]);
  const body = { checksum, numbers, comment, ticket };
  return askServer(context, flags, (client) => client.approvePlan({ id, body }), planWords);
}

export interface RejectFlags extends ServerFlag {
  readonly checksum?: string;
  readonly reason?: string;
}

/** Rejects a plan of a server, with a reason. */
export async function reject(context: Context, flags: RejectFlags, id: string): Promise<ExitCode> {
  const { checksum, reason } = flags;
  if (checksum === undefined) return context.fail([noChecksum]);
  if (reason === undefined) return context.fail([noReason]);
  const body = { checksum, reason };
  return askServer(context, flags, (client) => client.rejectPlan({ id, body }), planWords);
}

function planWords({ id, account, state, approvals, required }: PlanRow): string {
  const given = approvals.filter(({ decision }) => decision === 'approved').length;
  const standing = state === 'waiting' ? `has ${given} of ${required.approvals} approvals` : `is ${state}`;
  return `${printable(`Plan ${id} of ${account} ${standing}`)}.\n`;
}

const noChecksum = problem('usage', 'the checksum of the plan is missing', {
  hint: 'review the plan with rampart show PLAN --server, then run one of the commands that it prints',
});
export const noReason = problem('usage', 'the reason is missing', { hint: 'pass it with --reason' });
