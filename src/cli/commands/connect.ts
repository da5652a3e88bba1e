import { printable } from '../../core/lib/printable.ts';
import type { ExitCode } from '../../run/apply/exit-code.ts';
import { requestConnection } from '../../service/wire/request-connection.ts';
import { findHostId } from '../listing/find-host.ts';
import { printResult } from '../listing/print-listing.ts';
import { withConnection } from '../service/read-fleet.ts';
import { refuseWriting } from '../service/refuse-writing.ts';
import type { Context } from '../shell/context.ts';

export interface ConnectFlags {
  readonly directLink?: true;
  readonly failWhenInSession?: true;
}

/**
 * A ticket to connect to a host. Its address is written only to stdout, because anyone with the address can connect.
 */
export async function connect(context: Context, flags: ConnectFlags, word: string): Promise<ExitCode> {
  const refusal = refuseWriting(context, "connecting opens a session on someone's computer");
  if (refusal !== undefined) return context.fail([refusal]);
  const ticket = await withConnection(context, async (connection) => {
    const host = await findHostId(word, connection.reader);
    if (!host.ok) return host;
    return requestConnection(connection.client, host.value, {
      directLink: flags.directLink ?? false,
      failWhenInSession: flags.failWhenInSession ?? false,
    });
  });
  if (!ticket.ok) return context.fail(ticket.problems);
  context.report(ticket.problems);
  const { gatewayUrl, sessionTicketId } = ticket.value;
  const document = { gateway_url: gatewayUrl, session_ticket_id: sessionTicketId };
  return printResult(context, document, `${printable(gatewayUrl)}\n`);
}
