import type { Clock } from '../../core/lib/clock.ts';
import type { HostId } from '../../core/model/host-id.ts';
import type { AntivirusFact, ListRead } from '../../core/model/observed.ts';
import { failed, ok, type Result } from '../../core/problem/result.ts';
import type { CallOptions, Client } from '../client/client.ts';
import { fromAntivirusHost } from './antivirus-fact.ts';
import { checkIds } from './check-ids.ts';
import { rightProblem } from './right-problem.ts';

export interface ListOptions extends Pick<CallOptions, 'signal' | 'stop' | 'maxWaitMs'> {
  readonly clock: Clock;
}

export interface AntivirusList {
  readonly read: ListRead;
  /** Without the hosts that the list leaves out. */
  readonly facts: ReadonlyMap<HostId, AntivirusFact>;
}

/** The anti-virus list by itself (spec section 4, #17). */
export async function readAntivirus(
  client: Client,
  { clock, ...options }: ListOptions,
): Promise<Result<AntivirusList>> {
  const answer = await client.call('listAntivirusDetails', {}, options);
  if (!answer.ok) return failed(rightProblem(answer.failure, 'read the anti-virus list'));
  const { hosts } = answer.value;
  const problems = checkIds(
    hosts.map(({ hostId }) => hostId),
    'host',
  );
  if (problems.length > 0) return failed(...problems);
  const at = new Date(clock.now()).toISOString();
  return ok({ read: { list: 'antivirus-details', at }, facts: new Map(hosts.map(fromAntivirusHost)) });
}
