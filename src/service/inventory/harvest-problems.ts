import type { InventoryKind } from '../../core/model/facts.ts';
import type { HostId } from '../../core/model/host-id.ts';
import { type Problem, problem, warning } from '../../core/problem/problem.ts';

const goesOn = { hint: 'rampart inventory pull goes on from here' };

export function stopped(kind: InventoryKind): Problem {
  return problem('cancelled', `the harvest of the ${kind} inventory was stopped`, goesOn);
}

export function outOfReports(kind: InventoryKind): Problem {
  return problem('budget-spent', `no more ${kind} reports may be made, and hosts are left`, goesOn);
}

export function outOfTime(kind: InventoryKind): Problem {
  return problem('budget-spent', `the time is up before the whole ${kind} inventory is here`, goesOn);
}

export function tooLong(kind: InventoryKind, ms: number): Problem {
  return problem(
    'rate-limited',
    `the next ${kind} report can be made in ${Math.ceil(ms / 1000)} s, which is longer than may be waited`,
    { hint: 'try again later, or allow a longer wait with --max-wait' },
  );
}

export function nothingComes(kind: InventoryKind): Problem {
  return problem(
    'malformed-response',
    `several ${kind} reports in a row told nothing of the hosts that they were made for`,
    { hint: 'try again later; when it lasts, tell the service’s support' },
  );
}

/** How many ids a message names. */
const shown = 5;

export function refusedHosts(kind: InventoryKind, hosts: readonly HostId[]): Problem {
  const ids = hosts.slice(0, shown).join(', ');
  const more = hosts.length > shown ? ` and ${hosts.length - shown} more` : '';
  return warning(
    'missing-host',
    `the service makes no ${kind} report with host ${ids}${more}; the rest went on without`,
    { hostIds: hosts, hint: 'it may have been deleted meanwhile: rampart hosts' },
  );
}

/** Failures after which the same may work in a moment. */
const passing: ReadonlySet<string> = new Set([
  'network',
  'timed-out',
  'server-error',
  'malformed-response',
  'not-found',
]);

export function mayPass({ code }: Problem): boolean {
  return passing.has(code);
}
