import type { Origin } from '../../run/state/journal/record.ts';
import type { OriginInputs } from '../../run/state/origin/origin-of.ts';
import { readOrigin } from '../../run/state/origin/read-origin.ts';
import type { Context } from '../shell/context.ts';

/** Who runs this command, from where and why. */
export function originOfCommand(
  { io, redaction }: Context,
  { command, reason, ticket, approvals }: Pick<OriginInputs, 'command' | 'reason' | 'ticket' | 'approvals'>,
): Promise<Origin> {
  return readOrigin({
    env: io.env,
    cwd: io.cwd,
    command,
    reason,
    ticket,
    approvals,
    redact: redaction.redact,
  });
}
