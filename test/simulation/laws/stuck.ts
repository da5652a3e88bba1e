import { rolloutOf } from '../../../src/run/state/rollout/rollout.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { holdsAt } from '../store/pause-records.ts';
import type { AccountRow, Tables } from '../store/tables.ts';
import { rolloutWith } from './rollouts.ts';
import { complies, type Seen, seenHosts } from './seen.ts';

/** Failures that end with their cause: nobody has to act. */
const passing: ReadonlySet<string> = new Set([
  '',
  'network',
  'timed-out',
  'server-error',
  'malformed-response',
  'unexpected-status',
  'rate-limited',
  'not-authenticated',
  'forbidden',
  'hosts-missing',
  'state',
  'journal',
  'stale-plan',
]);

/** What is known of the installs of an account. */
export interface Installs {
  /** Whether it was requested, or may have been. */
  readonly isRequested: (host: string) => boolean;
  /** When the service said that it accepted it, in milliseconds: a service that lies does nothing. 0 if it did not. */
  readonly acceptedAt: (host: string) => number;
  /** When lists show it, in milliseconds; 0 if the service has not accepted it. */
  readonly installEndsAt: (host: string) => number;
}

/** How long before its end a check may have read the fleet, in milliseconds. */
const mostReadMs = 60_000;
const dayMs = 86_400_000;

export function isPausedAt(account: string, { pauses }: Tables, now: number): boolean {
  return [...pauses.entries()].some(([, each]) => each.scope === `account:${account}` && holdsAt(each, now));
}

/** Why an account is neither as desired nor waits for a person; undefined if it is. */
export function stuckWhy(
  row: AccountRow,
  { database, accounts, repository, emulatorOf, world }: Cluster,
  { isRequested, acceptedAt, installEndsAt }: Installs,
): string | undefined {
  const { tables } = database;
  const { name, health, failure, commit } = row;
  const now = world.now();
  const plan = tables.plans.get(tables.openPlans.get(name) ?? '')?.plan;
  const run = tables.runs.get(tables.openRuns.get(name) ?? '')?.run;
  const isPaused = isPausedAt(name, tables, now);
  const isRejected = [...tables.plans.entries()].some(
    ([, each]) =>
      each.plan.account === name && each.plan.state === 'rejected' && each.plan.expiresAt.getTime() > now,
  );
  const why = failure === null ? '' : `, ${failure.code}: ${failure.message}`;
  const shown = `is ${health} (plan ${plan?.state ?? 'none'}, run ${run?.state ?? 'none'}${why})`;
  if (row.hold !== null && row.hold.commit !== commit) return `${shown}, and is held for another commit`;
  if (commit !== repository.head) return `${shown}, and was not checked at the last commit`;
  // No plan restores a host that someone has deleted.
  const isForPerson = [...row.drift.values()].every(({ attribute }) => attribute === 'presence');
  const rollout = plan && rolloutWith(plan, tables);
  // Someone continues it, or aborts it.
  const isStopped = rollout !== undefined && rolloutOf(rollout).state !== 'aborted';
  const waitsForPerson = plan?.state === 'waiting' || isPaused || isStopped;
  switch (health) {
    case 'converged':
      return complies(fleetOf(), repository.hostsAt(commit, name), 'all') ? undefined : `${shown} falsely`;
    case 'ignored':
      return [...tables.ignores.entries()].some(
        ([, each]) => each.account === name && each.until.getTime() > now,
      )
        ? undefined
        : shown;
    case 'paused':
      return isPaused ? undefined : shown;
    case 'waiting':
      return waitsForPerson ? undefined : shown;
    // It ends once a list shows the install, or a day after it was requested.
    case 'in_progress':
      return openInstalls().some((id) => emulatorOf(name).installs.has(id) || acceptedAt(id) > now - dayMs)
        ? undefined
        : shown;
    case 'in_doubt':
      return waitsForPerson || openInstalls().some((id) => isRequested(id)) ? undefined : shown;
    case 'drifted':
      return accounts.get(name)?.mode === 'observe' || isRejected || isForPerson ? undefined : shown;
    case 'failing':
      return waitsForPerson || !passing.has(failure?.code ?? '') ? undefined : shown;
    default:
      return shown;
  }

  function fleetOf(): Seen {
    return { at: now, hosts: seenHosts(emulatorOf(name)) };
  }

  /** Wanted installs that the latest check did not show: the next one may. */
  function openInstalls(): readonly string[] {
    const { hosts } = fleetOf();
    const readAt = (row.lastCheckAt?.getTime() ?? 0) - mostReadMs;
    return repository
      .hostsAt(commit ?? repository.head, name)
      .filter(({ id, hasAntivirus }) => hasAntivirus === true && hosts.has(id))
      .map(({ id }) => id)
      .filter((id) => hosts.get(id)?.isInstalled === false || installEndsAt(id) > readAt);
  }
}
