import type { HostId } from '../../core/model/observed.ts';
import { ok, type Problem, problem } from '../../core/problem/problem.ts';
import type { FleetWriter, WriteOptions } from '../../service/wire/fleet.ts';
import { runBatch } from './batch-step.ts';
import type { StepResult } from './step-result.ts';

export interface RefreshContext {
  readonly writer: FleetWriter;
  /** Those of the hosts that someone else has changed since the plan was made, with a problem for each. */
  changes(hosts: readonly HostId[]): ReadonlyMap<HostId, Problem>;
  readonly stop: AbortSignal;
  readonly call: WriteOptions;
}

/**
 * Requests that hosts report their anti-virus status. It changes nothing, so it is repeated after a lost response. A
 * host that did not receive the command is reported, and the next run requests it again.
 */
export async function runRefreshStep(
  hosts: readonly HostId[],
  { writer, changes, stop, call }: RefreshContext,
): Promise<StepResult> {
  const delivered = new Set<HostId>();
  const result = await runBatch(hosts, {
    stop,
    rereadRefusals: false,
    changes,
    isDeleted: () => false,
    async send(part, precondition) {
      const sent = await writer.refreshAntivirus(part, { ...call, precondition });
      if (!sent.ok) return sent;
      for (const [host, isDelivered] of sent.value) if (isDelivered) delivered.add(host);
      return { ok: true, value: null };
    },
    settled: async () => ok(new Set()),
  });
  const named = new Set(result.failedHosts.map(({ hostId }) => hostId));
  const missed = hosts.filter((host) => !delivered.has(host) && !named.has(host));
  if (result.outcome !== 'done' && result.failedHosts.length === 0) return result;
  const failedHosts = missed.map((hostId) => ({ hostId, problem: notDelivered(hostId) }));
  return { ...result, failedHosts: [...result.failedHosts, ...failedHosts] };
}

function notDelivered(hostId: HostId) {
  return problem('step-failed', 'the refresh was not delivered to this host', {
    hint: 'the next apply asks the host again if it is online',
    hostIds: [hostId],
  });
}
