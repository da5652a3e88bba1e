import { firstFew } from '../../core/lib/words.ts';
import type { HostId, Observed } from '../../core/model/observed.ts';
import type { AntivirusStep } from '../../core/plan/types/step.ts';
import { type Problem, problem } from '../../core/problem/problem.ts';
import type { FleetWriter, WriteOptions } from '../../service/wire/fleet.ts';
import { endedBy } from './call-end.ts';
import { hostsChanged, type Reread } from './latest-read.ts';
import { blame, done, type StepResult, stepFailed } from './step-result.ts';

export interface AntivirusContext {
  readonly writer: FleetWriter;
  readonly reread: Reread;
  readonly call: WriteOptions;
  /** Those of the hosts that someone else has changed since the plan was made, with a problem for each. */
  changes(hosts: readonly HostId[]): ReadonlyMap<HostId, Problem>;
}

/**
 * Requests installs. An install in doubt is never requested twice: after a lost response the list is read, and hosts
 * that it does not show as installed remain unknown. When the quota is reached, the batch is halved in file order until
 * the rest fits; the other hosts are reported.
 */
export async function runAntivirusStep(
  step: AntivirusStep,
  hosts: readonly HostId[],
  context: AntivirusContext,
): Promise<StepResult> {
  const changes = new Map<HostId, Problem>();
  const result = await askForInstalls(step, hosts, context, changes);
  const [first] = changes.values();
  if (first === undefined) return result;
  const failedHosts = [...changes].map(([hostId, cause]) => ({ hostId, problem: cause }));
  return {
    ...(result.outcome === 'done' ? stepFailed(first) : result),
    failedHosts: [...failedHosts, ...result.failedHosts],
  };
}

/** Hosts that someone else has changed are left out and added to `changes`. */
async function askForInstalls(
  step: AntivirusStep,
  hosts: readonly HostId[],
  context: AntivirusContext,
  changes: Map<HostId, Problem>,
): Promise<StepResult> {
  const queue: (readonly HostId[])[] = [hosts];
  let isAnyAccepted = false;
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    for (const [host, cause] of context.changes(next)) changes.set(host, cause);
    const part = next.filter((id) => !changes.has(id));
    if (part.length === 0) continue;
    const result = await context.writer.installAntivirus(part, {
      ...context.call,
      precondition: () => (context.changes(part).size > 0 ? hostsChanged : undefined),
    });
    if (!result.ok && result.failure.problem === hostsChanged) {
      queue.unshift(part);
      continue;
    }
    if (!result.ok) {
      const left = await notInstalled([...part, ...queue.flat()], context);
      if (left.length === 0) return done;
      const { problem: cause, outcome } = result.failure;
      const inDoubt = new Set(outcome === 'unknown' ? part : []);
      const ended = endedBy(result.failure, context.call.stop);
      return {
        // A step that has begun is never reported as not started: the journal would forget the accepted installs.
        ...(ended.outcome === 'not-started' && isAnyAccepted ? stepFailed(cause) : ended),
        failedHosts: left.map((hostId) => ({ hostId, problem: cause, inDoubt: inDoubt.has(hostId) })),
      };
    }
    if (result.value === 'accepted' || result.value === 'pending') {
      isAnyAccepted = true;
      continue;
    }
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
      hint: "raise the quota in the service's console, then apply again",
      hostIds: hosts,
    }),
  );
}

function refused(
  step: AntivirusStep,
  hosts: readonly HostId[],
  answer: 'unavailable' | { readonly unknown: number },
): StepResult {
  const why = answer === 'unavailable' ? 'is unavailable' : `returned the unknown status ${answer.unknown}`;
  return failedAll(
    hosts,
    problem('antivirus-unavailable', `the anti-virus install ${why}: ${listed(step, hosts)} left out`, {
      hostIds: hosts,
    }),
  );
}

function failedAll(hosts: readonly HostId[], cause: Problem): StepResult {
  const each: Problem = { code: cause.code, severity: cause.severity, message: 'left out' };
  return { outcome: 'failed', problem: cause, failedHosts: blame(hosts, each) };
}

function listed(step: AntivirusStep, hosts: readonly HostId[]): string {
  const names = new Map(step.hosts.map((each) => [each.hostId, each.name]));
  return firstFew(hosts, 10, (id) => `"${names.get(id) ?? id}"`);
}
