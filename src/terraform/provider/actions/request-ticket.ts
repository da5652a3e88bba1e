import { access, constants } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { printable } from '../../../core/lib/printable.ts';
import type { HostId } from '../../../core/model/observed.ts';
import { failed, ok, problem, type Result } from '../../../core/problem/problem.ts';
import { outputMisuse } from '../../../run/state/files/output-files.ts';
import { replaceFile } from '../../../run/state/files/replace-file.ts';
import { requestConnection } from '../../../service/wire/request-connection.ts';
import type { ActionCall, Reply } from '../../protocol/provider/call.ts';
import { type ProviderService, type Rampart, toDiagnostics } from '../service.ts';

interface TicketRequest {
  readonly host: HostId;
  readonly file: string;
  readonly directLink: boolean;
  readonly failWhenInSession: boolean;
}

/** Writes the ticket to a separate file, because anyone who has the link can connect: no message contains it. */
export async function requestTicket(
  { session }: ProviderService,
  { host, file, ...intent }: TicketRequest,
  { progress, signal }: ActionCall<Rampart>,
): Promise<Reply> {
  const path = resolve(file);
  const misuse = outputMisuse(() => path, [{ flag: 'file', kind: 'ticket', shown: file }]);
  if (misuse !== undefined) return { diagnostics: toDiagnostics([misuse], ['file']) };
  const writable = await checkFolder(path);
  if (!writable.ok) return { diagnostics: toDiagnostics(writable.problems, ['file']) };
  if (signal.aborted) return { diagnostics: toDiagnostics([cancelled]) };
  const ticket = await requestConnection(session.client, host, intent);
  if (!ticket.ok) return { diagnostics: toDiagnostics(ticket.problems, ['host_id']) };
  const { gatewayUrl, sessionTicketId } = ticket.value;
  const text = `${JSON.stringify({ gateway_url: gatewayUrl, session_ticket_id: sessionTicketId })}\n`;
  const written = await replaceFile(path, text, { mode: 0o600 }).then(
    () => ok(null),
    (error: NodeJS.ErrnoException) => failed(notWritable(path, error)),
  );
  if (!written.ok) return { diagnostics: toDiagnostics(written.problems, ['file']) };
  progress(`Wrote the ticket for host ${host} to ${printable(file)}`);
  return {};
}

async function checkFolder(path: string): Promise<Result<null>> {
  return access(dirname(path), constants.W_OK).then(
    () => ok(null),
    (error: NodeJS.ErrnoException) => failed(notWritable(path, error)),
  );
}

function notWritable(path: string, { code }: NodeJS.ErrnoException) {
  return problem('file-not-written', `the file for the ticket can't be written: ${path} (${code})`, {
    hint: 'set file to a path in a folder that exists and that you may write to',
  });
}

const cancelled = problem('cancelled', 'Terraform cancelled the action before it requested the ticket');
