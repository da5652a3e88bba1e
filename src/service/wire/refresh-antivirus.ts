import type { HostId } from '../../core/model/observed.ts';
import type { Client } from '../client/client.ts';
import type { WriteOptions, WriteResult } from './fleet.ts';
import { rightProblem } from './right-problem.ts';

/**
 * Makes hosts report their anti-virus status (specification section 4, #18), and returns whether each received the
 * command. A host that is missing from the response is missing here too.
 */
export async function refreshAntivirus(
  client: Client,
  hosts: readonly HostId[],
  options?: WriteOptions,
): Promise<WriteResult<ReadonlyMap<HostId, boolean>>> {
  const result = await client.call(
    'refreshAntivirusStatus',
    { body: { targetHostIds: [...hosts] } },
    options,
  );
  if (!result.ok) {
    const { failure } = result;
    return { ok: false, failure: { ...failure, problem: rightProblem(failure, 'send commands to hosts') } };
  }
  return {
    ok: true,
    value: new Map(
      result.value.commandStatuses.map(({ targetHostId, sentSuccessfully }) => [
        targetHostId as HostId,
        sentSuccessfully,
      ]),
    ),
  };
}
