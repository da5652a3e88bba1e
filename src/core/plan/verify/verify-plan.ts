import { quoted } from '../../lib/words.ts';
import { foldName } from '../../model/host-name.ts';
import type { Observed } from '../../model/observed.ts';
import type { Plan } from '../types/plan.ts';
import { checkCounts } from './counts.ts';
import { checkCalls } from './fewest-calls.ts';
import type { Flaw, Report } from './flaw.ts';
import { checkNames } from './names.ts';
import { type TouchedHosts, touchedHosts } from './touched-hosts.ts';

/** A plan of strangers could have one for each of its steps. */
const mostFlaws = 20;

/**
 * Reasons not to apply a plan, whoever wrote it; none if it proves itself. It uses nothing of the planner, and trusts
 * none of its numbers: everything is counted again from the steps and from their record of the fleet before the plan.
 * With the fleet, that record is compared with it too.
 */
export function flawsOf(plan: Plan, fleet?: Observed): readonly Flaw[] {
  const flaws: Flaw[] = [];
  const report: Report = (at, why) => {
    if (flaws.length < mostFlaws) flaws.push({ at, why });
  };
  const hosts = touchedHosts(plan, report);
  const given = checkNames(plan, hosts, report);
  checkCalls(plan, hosts, given, report);
  checkCounts(plan, hosts, report);
  if (fleet !== undefined) checkFleet(hosts, fleet, report);
  return flaws;
}

/** The plan's record of its hosts is true, and the names that it gives belong to no host that it leaves alone. */
function checkFleet(hosts: TouchedHosts, fleet: Observed, report: Report): void {
  for (const [id, { expects }] of hosts.byId) {
    const live = fleet.byId(id);
    if (live === undefined) report('observed', `host ${id} is not in the fleet`);
    else if (live.name !== expects.name || live.groupId !== expects.groupId)
      report('observed', `host ${id} has another name or group in the fleet`);
  }
  for (const { step } of hosts.renames)
    for (const owner of fleet.byFoldedName(foldName(step.to)))
      if (!hosts.byId.has(owner.id))
        report(step.id, `host ${owner.id} has the name ${quoted(step.to)} and keeps it`);
}
