import type { HostId } from '../../core/model/observed.ts';
import { failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import type { Client } from '../client/client.ts';
import { rightProblem } from './right-problem.ts';

export interface ConnectionIntent {
  readonly directLink: boolean;
  readonly failWhenInSession: boolean;
}

/** A ticket for one session. Anyone with the address can connect, so it must not be logged. */
export interface ConnectionTicket {
  readonly gatewayUrl: string;
  /** A 64-bit integer in decimal form. */
  readonly sessionTicketId: string;
}

/** A ticket for a connection to a host (specification section 4, #5). */
export async function requestConnection(
  client: Client,
  host: HostId,
  { directLink, failWhenInSession }: ConnectionIntent,
): Promise<Result<ConnectionTicket>> {
  const answer = await client.call('connectHost', {
    path: { 'host-id': host },
    body: { directLink, failWhenRaSessionInProgress: failWhenInSession },
  });
  if (answer.ok) {
    const { gatewayUrl, sessionTicketId } = answer.value;
    return ok({ gatewayUrl, sessionTicketId });
  }
  const { failure } = answer;
  // A response that does not contain the host may come from an address other than the service's.
  const meaning = failure.hostIds.includes(host) ? meaningOf(failure.status, host) : undefined;
  return failed(meaning ?? rightProblem(failure, 'connect to hosts'));
}

function meaningOf(status: number | undefined, host: HostId): Problem | undefined {
  const hostIds = [host];
  switch (status) {
    case 404:
      return problem('missing-host', `host ${host} does not exist in this account`, {
        hint: 'list the hosts with: rampart hosts',
        hostIds,
      });
    case 405:
      return problem('not-allowed', `host ${host} is offline, so a connection is not possible`, {
        hint: 'try again when "rampart hosts" shows the host online',
        hostIds,
      });
    case 409:
      return problem('conflict', `someone is already connected to host ${host}`, {
        hint: 'wait until that session ends, or remove --fail-when-in-session',
        hostIds,
      });
    default:
      return undefined;
  }
}
