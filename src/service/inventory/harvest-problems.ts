import { firstFew } from '../../core/lib/words.ts';
import type { InventoryKind } from '../../core/model/facts.ts';
import type { HostId } from '../../core/model/observed.ts';
import { type Problem, problem, warning } from '../../core/problem/problem.ts';

const continueHint = { hint: 'continue with: rampart hosts inventory pull' };

export function stopped(kind: InventoryKind): Problem {
  return problem('cancelled', `the pull of the ${kind} inventory was stopped`, continueHint);
}

export function outOfReports(kind: InventoryKind): Problem {
  return problem(
    'budget-spent',
    `the limit of ${kind} reports is reached, and some hosts are left`,
    continueHint,
  );
}

export function outOfTime(kind: InventoryKind): Problem {
  return problem(
    'budget-spent',
    `the deadline passed before the whole ${kind} inventory was fetched`,
    continueHint,
  );
}

export function tooLong(kind: InventoryKind, ms: number): Problem {
  return problem(
    'rate-limited',
    `the next ${kind} report is possible in ${Math.ceil(ms / 1000)} s, which is longer than --max-wait allows`,
    { hint: 'try again later, or allow a longer wait with --max-wait' },
  );
}

export function nothingComes(kind: InventoryKind): Problem {
  return problem('malformed-response', `several ${kind} reports in a row contained none of their hosts`, {
    hint: "try again later; if this persists, contact the service's support",
  });
}

/** How many ids a message lists. */
const shown = 5;

export function refusedHosts(kind: InventoryKind, hosts: readonly HostId[]): Problem {
  return warning(
    'missing-host',
    `the service did not create a ${kind} report with host ${firstFew(hosts, shown)}; the pull continued without them`,
    { hostIds: hosts, hint: 'it may have been deleted: check with rampart hosts' },
  );
}

/** Failures that may be temporary. */
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
