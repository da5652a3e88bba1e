import { inBatches } from '../../core/lib/in-chunks.ts';
import type { HostId } from '../../core/model/observed.ts';
import { type Problem, problem } from '../../core/problem/problem.ts';
import type { CallFailure, Client } from '../client/client.ts';
import { refreshAntivirus } from './refresh-antivirus.ts';

/**
 * The outcome of the command for one host. `not-delivered`: the service could not deliver it, for example because the
 * host is offline; `not-sent`: the call was refused or never made; `unknown`: no response came, or the host is missing
 * from it.
 */
export type RefreshOutcome = 'sent' | 'not-delivered' | 'not-sent' | 'unknown';

export interface SentRefresh {
  readonly outcomes: ReadonlyMap<HostId, RefreshOutcome>;
  /** Problems of whole calls. */
  readonly problems: readonly Problem[];
}

export interface RefreshOptions {
  readonly client: Client;
  /** Starts no further call; those in flight are finished. */
  readonly stop: AbortSignal;
  readonly batchSize: number;
}

/**
 * Asks hosts to report their anti-virus status, in batches. Hosts that a refusal names are left out and the rest of the
 * batch is sent again; a batch that is too large is halved; refused credentials and a missing right end the command.
 */
export async function sendRefresh(
  hosts: readonly HostId[],
  { client, stop, batchSize }: RefreshOptions,
): Promise<SentRefresh> {
  const outcomes = new Map<HostId, RefreshOutcome>();
  const problems: Problem[] = [];
  const settle = (ids: readonly HostId[], outcome: RefreshOutcome) => {
    for (const id of ids) outcomes.set(id, outcome);
  };
  const batches = [...inBatches(hosts, batchSize)];
  for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
    const answer = await refreshAntivirus(client, batch, { stop });
    if (answer.ok) {
      for (const id of batch) outcomes.set(id, outcomeOf(answer.value.get(id)));
      continue;
    }
    const { failure } = answer;
    const named = batch.filter((id) => failure.hostIds.includes(id));
    if (failure.outcome === 'refused' && named.length > 0 && named.length < batch.length) {
      settle(named, 'not-sent');
      problems.push(namedProblem(failure, named));
      batches.unshift(batch.filter((id) => !named.includes(id)));
    } else if (failure.problem.code === 'too-large' && batch.length > 1) {
      batches.unshift(...inBatches(batch, Math.ceil(batch.length / 2)));
    } else {
      settle(batch, failure.outcome === 'unknown' ? 'unknown' : 'not-sent');
      problems.push(failure.problem);
      if (failure.status === 401 || failure.status === 403 || stop.aborted) break;
    }
  }
  settle(
    hosts.filter((id) => !outcomes.has(id)),
    'not-sent',
  );
  return { outcomes, problems };
}

function outcomeOf(delivered: boolean | undefined): RefreshOutcome {
  if (delivered === undefined) return 'unknown';
  return delivered ? 'sent' : 'not-delivered';
}

function namedProblem({ problem: cause }: CallFailure, hosts: readonly HostId[]): Problem {
  return problem(cause.code, cause.message, {
    hint: `the request was repeated without ${hosts.length === 1 ? 'this host' : 'these hosts'}`,
    hostIds: hosts,
  });
}
