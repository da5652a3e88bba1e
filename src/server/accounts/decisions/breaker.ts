import { attemptsIn, backOff, type CheckState, dueAt } from './due.ts';

/** An account with what decides whether its service is down. */
export interface ScheduledAccount extends CheckState {
  /** The origin of its service. */
  readonly service: string;
  /** The code of its failure; null while it succeeds. */
  readonly failure: string | null;
  /** The time of the first check that failed since the last success; null while it succeeds. */
  readonly failingSince: number | null;
}

/** Failures of a service or the connection to it, rather than of one account. */
const outages: ReadonlySet<string> = new Set([
  'network',
  'timed-out',
  'server-error',
  'malformed-response',
  'redirected',
  'not-json',
  'unexpected-status',
]);

/** A service with this many accounts in an outage, and none that succeeded since, is down. */
const leastOutages = 3;

export interface DueAccounts {
  readonly due: readonly string[];
  /** When each account that is not due is tried next, in milliseconds since 1970. */
  readonly nextAt: ReadonlyMap<string, number>;
  /** Services that are down: one of their accounts is tried at a time. */
  readonly open: ReadonlySet<string>;
}

/**
 * The accounts that are due. The state of each breaker follows from the checks in the database, so it is the same for all
 * schedulers and survives a restart. Closed: every account has its own times. Open: after the back-off of the service one
 * account is tried; once that succeeds, the others are due.
 */
export function dueAccounts(
  accounts: readonly ScheduledAccount[],
  { now, cadenceMs }: { readonly now: number; readonly cadenceMs: number },
): DueAccounts {
  const due: string[] = [];
  const nextAt = new Map<string, number>();
  const open = new Set<string>();
  const byService = Map.groupBy(accounts, ({ service }) => service);
  for (const [service, members] of byService) {
    const outage = outageOf(members);
    if (outage === undefined) {
      const recovered = recoveredOf(members);
      for (const member of members) {
        const at = recovered.has(member) ? 0 : dueAt(member, cadenceMs);
        if (at <= now) due.push(member.name);
        else nextAt.set(member.name, at);
      }
      continue;
    }
    open.add(service);
    const tryAt = outage.lastTriedAt + backOff(service, outage.attempts, cadenceMs);
    const probe = tryAt <= now ? probeOf(members) : undefined;
    for (const { name } of members) {
      if (name === probe) due.push(name);
      else nextAt.set(name, Math.max(tryAt, now));
    }
  }
  return { due, nextAt, open };
}

interface Outage {
  readonly attempts: number;
  readonly lastTriedAt: number;
}

/** Undefined if the service works: too few accounts failed, or one succeeded after the last failure. */
function outageOf(members: readonly ScheduledAccount[]): Outage | undefined {
  const failing = members.filter(isOut);
  const least = leastOf(members);
  if (failing.length < least) return undefined;
  const lastTriedAt = latest(failing);
  const lastSuccess = latest(members.filter(({ failure }) => failure === null));
  if (lastSuccess >= lastTriedAt) return undefined;
  // The attempts of an account that had failed before would keep a service waiting that has only just failed.
  const begins = failing.map(({ failingSince }) => failingSince ?? lastTriedAt).sort((a, b) => a - b);
  const began = Math.max(lastSuccess, begins[least - 1] ?? lastTriedAt);
  return { attempts: attemptsIn(lastTriedAt - began), lastTriedAt };
}

/**
 * The accounts that failed while their service was down, once another account of it has succeeded: they are tried at
 * once. An account that failed while others succeeded has its own problem, and keeps its back-off.
 */
function recoveredOf(members: readonly ScheduledAccount[]): ReadonlySet<ScheduledAccount> {
  const working = members.filter(({ failure }) => failure === null);
  const lastSuccess = latest(working);
  const waiting = members.filter((member) => {
    const { lastCheckAt, failingSince } = member;
    if (!isOut(member) || lastCheckAt === null || lastCheckAt >= lastSuccess) return false;
    const since = failingSince ?? lastCheckAt;
    return !working.some(({ lastCheckAt: at }) => at !== null && at >= since && at <= lastCheckAt);
  });
  return new Set(waiting.length >= leastOf(members) - 1 ? waiting : []);
}

/** The failures that make a service count as down. A single account proves nothing about its service. */
function leastOf(members: readonly ScheduledAccount[]): number {
  return Math.max(2, Math.min(leastOutages, members.length));
}

function isOut({ failure }: ScheduledAccount): boolean {
  return failure !== null && outages.has(failure);
}

function latest(members: readonly ScheduledAccount[]): number {
  return members.reduce((most, { lastCheckAt }) => Math.max(most, lastCheckAt ?? 0), 0);
}

/** The account that has waited longest, so that one account with its own problem does not keep a breaker open. */
function probeOf(members: readonly ScheduledAccount[]): string | undefined {
  return members.toSorted((a, b) => (a.lastCheckAt ?? 0) - (b.lastCheckAt ?? 0))[0]?.name;
}
