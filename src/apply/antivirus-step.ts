import type { HostId } from '../model/host-id.ts';
import type { Observed } from '../model/observed.ts';
import type { AntivirusStep } from '../plan/plan.ts';
import { type Problem, problem } from '../problem/problem.ts';
import type { FleetWriter, WriteOptions } from '../wire/fleet.ts';
import { endedBy } from './call-end.ts';
import type { Reread } from './reread.ts';
import { done, type FailedHost, type StepResult } from './step-result.ts';

export interface AntivirusContext {
  readonly writer: FleetWriter;
  readonly reread: Reread;
  readonly call: WriteOptions;
}

/**
 * Asks for installs. An install is never asked for twice in doubt: after a lost reply the list is read, and hosts
 * that it does not show as installed stay unknown. When the quota is reached, the batch is halved in file order
 * until what fits is in; the rest is named.
 */
export async function runAntivirusStep(
  step: AntivirusStep,
  hosts: readonly HostId[],
  context: AntivirusContext,
): Promise<StepResult> {
  const queue: (readonly HostId[])[] = [hosts];
  for (let part = queue.shift(); part !== undefined; part = queue.shift()) {
    const result = await context.writer.installAntivirus(part, context.call);
    if (!result.ok) {
      const left = await notInstalled([...part, ...queue.flat()], context);
      if (left.length === 0) return done;
      const ended = endedBy(result.failure, context.call.stop);
      return { ...ended, failedHosts: blame(left, result.failure.problem) };
    }
    if (result.value === 'accepted' || result.value === 'pending') continue;
    const rest = await notInstalled(part, context);
    if (rest.length === 0) continue;
    if (result.value !== 'quota-reached') return refused(step, [...rest, ...queue.flat()], result.value);
    if (part.length === 1) return leftOut(step, [...rest, ...queue.flat()]);
    const half = Math.ceil(rest.length / 2);
    queue.unshift(rest.slice(0, half));
    if (half < rest.length) queue.splice(1, 0, rest.slice(half));
  }
  return done;
}

async function notInstalled(hosts: readonly HostId[], context: AntivirusContext): Promise<readonly HostId[]> {
  const read = await context.reread.antivirus();
  if (!read.ok) return hosts;
  const fleet: Observed = read.value;
  return hosts.filter((id) => fleet.byId(id)?.antivirus?.installed !== true);
}

function leftOut(step: AntivirusStep, hosts: readonly HostId[]): StepResult {
  return failedAll(
    hosts,
    problem('antivirus-quota', `the anti-virus quota is reached: ${listed(step, hosts)} left out`, {
      hint: 'raise the quota in the service’s console, then apply again',
      hostIds: hosts,
    }),
  );
}

function refused(
  step: AntivirusStep,
  hosts: readonly HostId[],
  answer: 'unavailable' | { readonly unknown: number },
): StepResult {
  const why =
    answer === 'unavailable' ? 'is unavailable' : `answered with the unknown status ${answer.unknown}`;
  return failedAll(
    hosts,
    problem('antivirus-unavailable', `the anti-virus install ${why}: ${listed(step, hosts)} left out`, {
      hostIds: hosts,
    }),
  );
}

function failedAll(hosts: readonly HostId[], cause: Problem): StepResult {
  return { outcome: 'failed', problem: cause, failedHosts: blame(hosts, cause) };
}

function blame(hosts: readonly HostId[], cause: Problem): readonly FailedHost[] {
  return hosts.map((hostId) => ({ hostId, problem: cause }));
}

function listed(step: AntivirusStep, hosts: readonly HostId[]): string {
  const names = new Map(step.hosts.map((each) => [each.hostId, each.name]));
  const shown = hosts.slice(0, 10).map((id) => `"${names.get(id) ?? id}"`);
  return hosts.length > shown.length
    ? `${shown.join(', ')} and ${hosts.length - shown.length} more`
    : shown.join(', ');
}
